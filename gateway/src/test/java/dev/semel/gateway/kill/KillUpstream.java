package dev.semel.gateway.kill;

import dev.semel.gateway.Gateway;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A service that takes its time, counts its effects, and tells how far it is. */
final class KillUpstream implements AutoCloseable {

    private static final int LONGEST_MILLIS = 20;

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final Consumer<KillMoment> reached;
    private final HttpServer server;

    KillUpstream(Consumer<KillMoment> reached) {
        this.reached = reached;
        this.server = Gateway.await(
                vertx.createHttpServer().requestHandler(this::handle).listen(0, "127.0.0.1"));
    }

    String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    int effects(String key) {
        return effects.getOrDefault(key, new AtomicInteger()).get();
    }

    /** Whether an answer has gone out for this key. */
    boolean hasAnswered(String key) {
        return answered.contains(key);
    }

    private void handle(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            String key = request.getHeader("Idempotency-Key");
            effects.computeIfAbsent(key, first -> new AtomicInteger()).incrementAndGet();
            reached.accept(KillMoment.ARRIVED);
            int work = 2 + ThreadLocalRandom.current().nextInt(LONGEST_MILLIS);
            vertx.setTimer(1 + work / 2, half -> reached.accept(KillMoment.WORKING));
            vertx.setTimer(work, done -> answer(request, key));
        });
    }

    private void answer(HttpServerRequest request, String key) {
        request.response()
                .setStatusCode(201)
                .putHeader("Content-Type", "application/json")
                .putHeader("Location", "/charges/" + key)
                .end("{\"key\":\"" + key + "\", \"at\":" + System.nanoTime() + "}")
                .onSuccess(written -> {
                    answered.add(key);
                    reached.accept(KillMoment.ANSWERED);
                });
    }

    @Override
    public void close() {
        Gateway.await(vertx.close());
    }
}
