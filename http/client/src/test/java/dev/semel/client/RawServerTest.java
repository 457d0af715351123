package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.client.RawServer.Response;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A server of these tests takes what a killed client has left behind for no request. */
class RawServerTest {

    @Test
    void doesNotHandleARequestWhoseBodyIsCutOff() throws Exception {
        try (RawServer server = new RawServer(request -> Response.of(201, "made"));
                Socket client =
                        new Socket(server.uri("/").getHost(), server.uri("/").getPort())) {
            client.getOutputStream()
                    .write("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n12".getBytes(StandardCharsets.US_ASCII));
            client.shutdownOutput();

            assertThat(client.getInputStream().readAllBytes()).isEmpty();
            assertThat(server.requests).isEmpty();
        }
    }
}
