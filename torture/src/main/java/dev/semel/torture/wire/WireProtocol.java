package dev.semel.torture.wire;

import java.io.IOException;
import java.net.Socket;

/** What a wire understands of what goes over it. */
public enum WireProtocol {
    /** Nothing but words. */
    PLAIN {
        @Override
        WireLink connect(DatabaseWire wire, Socket client, Socket server) throws IOException {
            return new WireLink(wire, client, server);
        }
    },
    /** Which statement was acknowledged, and was not refused. */
    POSTGRES {
        @Override
        WireLink connect(DatabaseWire wire, Socket client, Socket server) throws IOException {
            return new PostgresLink(wire, client, server);
        }
    },
    /** Where a request begins and ends, so that it can be refused before the server sees it. */
    DYNAMODB {
        @Override
        WireLink connect(DatabaseWire wire, Socket client, Socket server) throws IOException {
            return new DynamoDbLink(wire, client, server);
        }
    };

    abstract WireLink connect(DatabaseWire wire, Socket client, Socket server) throws IOException;
}
