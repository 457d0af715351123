package dev.semel.torture.door;

import dev.semel.NotExecutedException;
import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.Failpoints;
import dev.semel.torture.service.LedgerClient;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The service behind one gateway. It has the effects of the other doors, does not know about keys, and can die at any byte of
 * its answer: the connection breaks there.
 */
public final class DyingUpstream implements AutoCloseable {

    /** The status by which it refuses a request before it has done anything. */
    static final int REFUSED = 429;

    /** Before the effect. */
    public static final double BEFORE_THE_EFFECT = -1;

    private static final String END_OF_HEAD = "\r\n\r\n";

    private final ServerSocket listening = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("upstream"));
    private final AtomicReference<@Nullable Double> death = new AtomicReference<>();
    private final Failpoints failpoints;
    private final Business business;

    /** @param node the gateway in front */
    public DyingUpstream(String node, int ledgerPort) throws IOException {
        LedgerClient ledger = new LedgerClient(ledgerPort, node);
        // The gateway dies, and this service goes on.
        this.failpoints = Failpoints.passing(ledger);
        this.business = new Business(ledger, failpoints, node, false);
        threads.execute(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Lets the gateway die when the next request has come to this point. */
    public void arm(String point) {
        failpoints.arm(point);
    }

    /** Lets the connection of the next request break at this part of the answer, between 0 and 1, or before the effect. */
    public void die(double at) {
        death.set(at);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new IllegalStateException("the service behind the gateway is gone", e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                Map<String, String> headers = headers(head);
                byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
                Double at = death.getAndSet(null);
                if (at != null && at < 0) {
                    return;
                }
                byte[] answer = answer(headers, body);
                int length = at == null ? answer.length : (int) (at * (answer.length - 1));
                socket.getOutputStream().write(answer, 0, length);
                if (at != null) {
                    return;
                }
            }
        } catch (IOException e) {
            // The gateway has gone: whatever was done is done.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.write(next);
            if (next == '\n' && head.toString(StandardCharsets.ISO_8859_1).endsWith(END_OF_HEAD)) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
        }
        return "";
    }

    private static Map<String, String> headers(String head) {
        Map<String, String> headers = new HashMap<>();
        for (String line : head.split("\r\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return headers;
    }

    private byte[] answer(Map<String, String> headers, byte[] body) throws IOException, InterruptedException {
        ServiceRequest request = new ServiceRequest(
                Operation.valueOf(header(headers, "operation")),
                header(headers, "scope"),
                header(headers, "idempotency-key"),
                header(headers, "request"),
                body,
                Long.parseLong(header(headers, "work")),
                Behaviour.valueOf(header(headers, "behaviour")));
        int attempt = Integer.parseInt(header(headers, "semel-attempt"));
        long token = Long.parseLong(header(headers, "semel-fencing-token"));
        try {
            return response(200, attempt, business.runOutside(request, attempt, token));
        } catch (NotExecutedException e) {
            return response(REFUSED, attempt, new byte[0]);
        } catch (IllegalStateException e) {
            return response(500, attempt, e.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String header(Map<String, String> headers, String name) {
        return Objects.requireNonNull(headers.get(name), name);
    }

    private static byte[] response(int status, int attempt, byte[] body) {
        ByteArrayOutputStream response = new ByteArrayOutputStream();
        response.writeBytes(("HTTP/1.1 " + status + " It is so\r\nContent-Type: application/json\r\nAttempt: " + attempt
                        + "\r\nContent-Length: " + body.length + END_OF_HEAD)
                .getBytes(StandardCharsets.ISO_8859_1));
        response.writeBytes(body);
        return response.toByteArray();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        threads.shutdownNow();
    }
}
