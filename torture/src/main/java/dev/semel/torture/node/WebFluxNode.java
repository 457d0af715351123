package dev.semel.torture.node;

import dev.semel.Attempt;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.webflux.SemelWebFilter;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/** A WebFlux application on Reactor Netty with the service behind the filter. */
record WebFluxNode(DisposableServer server, LoopResources loops, ExecutorService threads) implements NodeServer {

    private static final int LOOPS = 2;

    static WebFluxNode start(SemelSystem system, ControlHandler control) {
        ExecutorService threads = Executors.newCachedThreadPool();
        // Threads that keep the process alive.
        LoopResources loops = LoopResources.create("torture-http", LOOPS, false);
        GuardedPaths paths = GuardedPaths.of(system);
        SemelWebFilter filter = SemelWebFilter.builder(
                        paths.gate(),
                        exchange -> Mono.justOrEmpty(paths.find(path(exchange))),
                        exchange -> Mono.justOrEmpty(header(exchange, "Scope")))
                .build();
        DisposableServer server = HttpServer.create()
                .runOn(loops)
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(
                        WebHttpHandlerBuilder.webHandler(new Service(system, control, threads))
                                .filter(filter)
                                .build()))
                .bindNow();
        return new WebFluxNode(server, loops, threads);
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.disposeNow();
        // Requests still come on open connections until the loops have ended, and each needs a thread.
        loops.disposeLater().block();
        threads.shutdown();
    }

    private static String path(ServerWebExchange exchange) {
        return exchange.getRequest().getURI().getRawPath();
    }

    private static String header(ServerWebExchange exchange, String name) {
        return Objects.requireNonNull(exchange.getRequest().getHeaders().getFirst(name), name);
    }

    /** The service itself. It blocks, so each request is handled on a thread of its own. */
    private record Service(SemelSystem system, ControlHandler control, ExecutorService threads) implements WebHandler {

        @Override
        public Mono<Void> handle(ServerWebExchange exchange) {
            if (path(exchange).startsWith("/control/")) {
                control.control(path(exchange));
                exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
                return Mono.empty();
            }
            return DataBufferUtils.join(exchange.getRequest().getBody())
                    .map(Service::bytes)
                    .defaultIfEmpty(new byte[0])
                    .flatMap(body -> Mono.fromFuture(answer(exchange, body)))
                    .flatMap(answer -> write(answer, exchange.getResponse()));
        }

        private CompletableFuture<ServiceAnswer> answer(ServerWebExchange exchange, byte[] body) {
            ServiceRequest request = ServiceRequest.read(name -> header(exchange, name), ServiceRequest.OWN_KEY, body);
            Attempt attempt = Objects.requireNonNull(exchange.getAttribute(SemelWebFilter.ATTEMPT));
            exchange.getResponse().getHeaders().set("Attempt", Integer.toString(attempt.number()));
            CompletableFuture<ServiceAnswer> answer = new CompletableFuture<>();
            threads.execute(() -> {
                try {
                    answer.complete(ServiceAnswer.of(system, request, attempt));
                } catch (Throwable e) {
                    // An error too: Reactor would never end a request whose handler has run out of memory.
                    answer.completeExceptionally(e);
                }
            });
            return answer;
        }

        private static byte[] bytes(DataBuffer buffer) {
            byte[] bytes = new byte[buffer.readableByteCount()];
            buffer.read(bytes);
            DataBufferUtils.release(buffer);
            return bytes;
        }

        private static Mono<Void> write(ServiceAnswer answer, ServerHttpResponse response) {
            response.setRawStatusCode(answer.status());
            response.getHeaders().set("Content-Type", "application/json");
            return response.writeWith(
                    Mono.fromSupplier(() -> response.bufferFactory().wrap(answer.body())));
        }
    }
}
