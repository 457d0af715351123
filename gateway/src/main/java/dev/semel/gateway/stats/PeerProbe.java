package dev.semel.gateway.stats;

import dev.semel.gateway.config.Peer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.RequestOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Asks another gateway whether it takes requests, with one request at a time. */
public final class PeerProbe {

    /** How long each of connecting and answering may take. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int OK = 200;

    private final Peer peer;
    private final Duration patience;
    private final HttpClient client;
    private final PeerHealth health;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile boolean closed;

    public PeerProbe(Vertx vertx, Peer peer, Duration patience, Clock clock) {
        this.peer = peer;
        this.patience = patience;
        // A connection for each probe: one that is kept would not notice that the peer takes no new ones.
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setSsl(peer.tls())
                .setVerifyHost(true)
                .setKeepAlive(false)
                .setConnectTimeout(Math.toIntExact(patience.toMillis())));
        this.health = new PeerHealth(peer.toString(), clock);
    }

    /** Asks, unless the last question is still open. It completes with the answer, or when there will be none. */
    public Future<Void> ask() {
        if (closed || !asking.compareAndSet(false, true)) {
            return Future.succeededFuture();
        }
        RequestOptions ready = new RequestOptions()
                .setHost(peer.address().host())
                .setPort(peer.address().port())
                .setURI("/ready")
                .setConnectTimeout(patience.toMillis())
                .setFollowRedirects(false);
        return client.request(ready).compose(this::status).transform(answer -> {
            asking.set(false);
            if (!closed) {
                take(answer.result(), answer.cause());
            }
            return Future.succeededFuture();
        });
    }

    /** The status of the response; its body, however long, is not read. */
    private Future<Integer> status(HttpClientRequest request) {
        return request.send()
                .map(response -> {
                    // It breaks off when the connection is closed, after all that matters of it is known.
                    response.exceptionHandler(brokenOff -> {});
                    return response.statusCode();
                })
                .timeout(patience)
                .eventually(() -> request.connection().close().otherwiseEmpty());
    }

    private void take(@Nullable Integer status, @Nullable Throwable failure) {
        if (failure instanceof TimeoutException) {
            health.silent("no answer within " + patience.toMillis() + " ms");
        } else if (failure != null) {
            String message = failure.getMessage();
            health.silent(message == null ? failure.getClass().getSimpleName() : message);
        } else if (status != null && status == OK) {
            health.ready();
        } else {
            health.notReady("/ready answers " + status);
        }
    }

    /** The peer's current problem; {@code null} if it takes requests. */
    Health.@Nullable Problem problem() {
        return health.problem();
    }

    /** From now on no peer is asked, and answers do not count. */
    public void close() {
        closed = true;
    }
}
