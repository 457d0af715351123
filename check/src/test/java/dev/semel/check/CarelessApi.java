package dev.semel.check;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that does not look at keys and gives everybody the same answer, until it has enough of them. */
final class CarelessApi implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();
    private final int most;

    /** With a rate limit, after so many requests. */
    CarelessApi(int most) throws IOException {
        this.most = most;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                handle(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException, InterruptedException {
        exchange.getRequestBody().readAllBytes();
        if (exchange.getRequestURI().getPath().equals("/stuck-at-zero")) {
            exchange.sendResponseHeaders(200, 1);
            exchange.getResponseBody().write('0');
            return;
        }
        if (exchange.getRequestHeaders().containsKey("X-Slow")) {
            Thread.sleep(Long.parseLong(exchange.getRequestHeaders().getFirst("X-Slow")));
        }
        boolean fails = exchange.getRequestHeaders().containsKey("X-Fail");
        exchange.sendResponseHeaders(requests.incrementAndGet() > most ? 429 : fails ? 500 : 204, -1);
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
