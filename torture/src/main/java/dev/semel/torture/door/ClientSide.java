package dev.semel.torture.door;

import dev.semel.torture.plan.Door;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** How a client asks at a door, and reads its answers. */
public interface ClientSide {

    static ClientSide of(Door door) {
        return switch (door) {
            case ENGINE -> new EngineClient();
            case SERVLET, WEBFLUX, GATEWAY -> new ProtocolClient();
        };
    }

    /** What is sent to the node at this port. */
    HttpRequest.Builder request(int port, ServiceRequest request);

    /** What a client is told by the answer. */
    Kind kind(HttpResponse<byte[]> response);
}
