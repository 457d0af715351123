package dev.semel.torture.door;

import dev.semel.Outcome;
import dev.semel.torture.plan.Door;
import dev.semel.torture.service.HashedKeys;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** How a client asks at a door, and reads its answers. */
public interface ClientSide {

    /** For doors that speak HTTP. */
    static ClientSide of(Door door, HttpClient http, HashedKeys hashed) {
        return switch (door) {
            case ENGINE -> new EngineClient(http);
            case SERVLET, WEBFLUX -> new FilterClient(http, hashed);
            case GATEWAY -> new ProtocolClient(http);
            case KAFKA, SQS, RABBITMQ -> throw new IllegalArgumentException(door + " needs a broker");
        };
    }

    /** Asks the node at this port; the future fails if there is no answer in time. */
    CompletableFuture<ServiceReply> ask(int port, ServiceRequest request, Duration patience);

    /** Asks again for something that was asked before. */
    default CompletableFuture<ServiceReply> askAgain(int port, ServiceRequest request, Duration patience) {
        return ask(port, request, patience);
    }

    /** What a client gets for an outcome that is in the store. */
    default byte[] told(Outcome outcome) {
        return outcome.requirePayload();
    }
}
