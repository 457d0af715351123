package dev.semel.check;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Sends requests, and never more of them than was announced. */
final class TrialSender {

    private final HttpClient http;
    private final Duration timeout;
    private final int limit;
    private int sent;

    TrialSender(Duration timeout, int limit) {
        this.timeout = timeout;
        this.limit = limit;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
    }

    synchronized int sent() {
        return sent;
    }

    private synchronized void count() {
        if (sent == limit) {
            throw new IllegalStateException("no more than " + limit + " requests were announced");
        }
        sent++;
    }

    CompletableFuture<TrialResponse> send(HttpRequest request) {
        count();
        long start = System.nanoTime();
        CompletableFuture<java.net.http.HttpResponse<byte[]>> sending =
                http.sendAsync(request, BodyHandlers.ofByteArray());
        return sending.copy()
                .orTimeout(timeout.toMillis() + 500, TimeUnit.MILLISECONDS)
                .handle((response, failure) -> {
                    sending.cancel(true);
                    long took = Duration.ofNanos(System.nanoTime() - start).toMillis();
                    return failure == null
                            ? new TrialResponse(response.statusCode(), response.headers(), response.body(), "", took)
                            : TrialResponse.none(explain(failure), took);
                });
    }

    private String explain(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof HttpTimeoutException || cause instanceof TimeoutException) {
            return "no answer within " + timeout.toMillis() + " ms";
        }
        return "no answer: " + (cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
    }

    /** Sends bytes over its own connection, and leaves without reading an answer. */
    void abandon(URI uri, byte[] bytes, Duration stay) throws InterruptedException {
        count();
        boolean secure = "https".equals(uri.getScheme());
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        try (Socket plain = new Socket();
                Socket socket = connected(plain, uri.getHost(), port, secure)) {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            Thread.sleep(stay.toMillis());
        } catch (IOException e) {
            throw new CannotRunException("cannot send to " + uri.getHost() + ":" + port + ": " + e.getMessage(), e);
        }
    }

    private Socket connected(Socket plain, String host, int port, boolean secure) throws IOException {
        int millis = Math.toIntExact(Math.min(Integer.MAX_VALUE, timeout.toMillis()));
        plain.connect(new InetSocketAddress(host, port), millis);
        plain.setSoTimeout(millis);
        if (!secure) {
            return plain;
        }
        SSLSocket socket = (SSLSocket) tls().createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static SSLSocketFactory tls() {
        try {
            return SSLContext.getDefault().getSocketFactory();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }

    /** Asks a probe for the number of effects. */
    long effects(String address, String key) {
        URI uri = URI.create(address.replace("{key}", java.net.URLEncoder.encode(key, StandardCharsets.UTF_8)));
        TrialResponse reply =
                send(HttpRequest.newBuilder(uri).timeout(timeout).build()).join();
        if (reply.status() == 404 && address.contains("{key}")) {
            return 0;
        }
        if (!reply.succeeded()) {
            throw new CannotRunException(
                    "the probe of effects " + Secrets.url(address) + " was answered: " + reply.brief(), null);
        }
        return EffectCount.count(reply.text())
                .orElseThrow(() -> new CannotRunException(
                        "the probe of effects " + Secrets.url(address)
                                + " should answer with a number, a JSON array or an object with"
                                + " a member \"count\", got: " + reply.text(),
                        null));
    }
}
