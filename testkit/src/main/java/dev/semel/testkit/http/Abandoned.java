package dev.semel.testkit.http;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A request whose client hangs up before it is answered. */
final class Abandoned implements AutoCloseable {

    private static final String BODY = "{\"amount\":100}";

    private final Socket socket;

    Abandoned(URI base, String path, String key, String testCase) throws IOException {
        socket = new Socket(base.getHost(), base.getPort());
        socket.getOutputStream()
                .write(String.join(
                                "\r\n",
                                "POST " + path + " HTTP/1.1",
                                "Host: " + base.getAuthority(),
                                "Authorization: Bearer alice.1",
                                "Content-Type: application/json",
                                "Content-Length: " + BODY.length(),
                                SampleRequest.CASE + ": " + testCase,
                                "Idempotency-Key: " + key,
                                "",
                                BODY)
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    @Override
    public void close() throws IOException {
        // A reset, not a polite end: whatever the server writes from here on fails.
        socket.setSoLinger(true, 0);
        socket.close();
    }
}
