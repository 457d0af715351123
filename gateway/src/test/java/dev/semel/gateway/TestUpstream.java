package dev.semel.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A service that counts its effects, and answers in every way a service can. */
public final class TestUpstream implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final List<HttpServerRequest> held = new CopyOnWriteArrayList<>();
    private final Map<String, String> verdicts = new ConcurrentHashMap<>();

    public TestUpstream() {
        this(new HttpServerOptions());
    }

    public TestUpstream(HttpServerOptions options) {
        server = Gateway.await(vertx.createHttpServer(options.setHost("127.0.0.1"))
                .requestHandler(this::handle)
                .webSocketHandler(TestUpstream::echo)
                .listen(0, "127.0.0.1"));
    }

    public String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /** How often the operation of this key ran. */
    public int effects(String key) {
        return effects.getOrDefault(key, new AtomicInteger()).get();
    }

    public int allEffects() {
        return effects.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    /** How many requests to {@code /hold} wait for {@link #releaseAll}. */
    public int waiting() {
        return held.size();
    }

    public void releaseAll() {
        held.forEach(request -> vertx.runOnContext(now -> created(request)));
        held.clear();
    }

    public void answerReconciler(String key, String verdict) {
        verdicts.put(key, verdict);
    }

    private void handle(HttpServerRequest request) {
        if (request.path().equals("/upload")) {
            request.handler(chunk -> {}).endHandler(end -> request.response().end(request.bytesRead() + " bytes"));
            return;
        }
        request.body().onSuccess(body -> answer(request, body));
    }

    private void answer(HttpServerRequest request, Buffer body) {
        String key = request.getHeader("Idempotency-Key");
        if (request.method().name().equals("POST") && key != null) {
            effects.computeIfAbsent(key, first -> new AtomicInteger()).incrementAndGet();
        }
        String path = request.path();
        if (path.startsWith("/status/")) {
            request.response()
                    .setStatusCode(Integer.parseInt(path.substring(8)))
                    .end("status " + path.substring(8));
        } else if (path.equals("/hold")) {
            held.add(request);
        } else if (path.equals("/never")) {
            request.response().setChunked(true);
        } else if (path.equals("/break")) {
            request.connection().close();
        } else if (path.equals("/break-midway")) {
            request.response()
                    .putHeader("Content-Length", "1000")
                    .write("only this")
                    .onComplete(written -> request.connection().close());
        } else if (path.equals("/big")) {
            request.response()
                    .putHeader("Content-Length", request.getParam("bytes"))
                    .end(Buffer.buffer(new byte[Integer.parseInt(request.getParam("bytes"))]));
        } else if (path.equals("/events")) {
            events(request);
        } else if (path.equals("/echo")) {
            JsonObject seen = new JsonObject().put("uri", request.uri()).put("body", body.toString());
            request.headers().forEach((name, value) -> seen.put(name.toLowerCase(java.util.Locale.ROOT), value));
            request.response().putHeader("X-Seen", "yes").end(seen.toBuffer());
        } else if (path.equals("/reconcile")) {
            String asked = body.toJsonObject().getString("key");
            request.response().end(verdicts.getOrDefault(asked, "{\"verdict\":\"cannot-tell\"}"));
        } else {
            created(request);
        }
    }

    private void created(HttpServerRequest request) {
        String key = request.getHeader("Idempotency-Key");
        request.response()
                .setStatusCode(201)
                .putHeader("Content-Type", "application/json")
                .putHeader("Location", "/charges/" + key)
                .putHeader("Set-Cookie", "session=1")
                .end("{\"key\":\"" + key + "\",\"run\":" + (key == null ? 0 : effects(key)) + "}");
    }

    private void events(HttpServerRequest request) {
        request.response()
                .setChunked(true)
                .putHeader("Content-Type", "text/event-stream")
                .write("data: first\n\n");
        held.add(request);
    }

    /** Sends one more event to everybody who listens at {@code /events}. */
    public void sendEvent(String data) {
        held.forEach(request -> vertx.runOnContext(now -> request.response().write("data: " + data + "\n\n")));
    }

    private static void echo(ServerWebSocket socket) {
        socket.textMessageHandler(text -> socket.writeTextMessage("echo " + text));
    }

    @Override
    public void close() {
        Gateway.await(vertx.close());
    }
}
