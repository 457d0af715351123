package dev.semel.gateway.proxy;

import dev.semel.gateway.admin.AdminConnections;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * The connections of one event loop. A connection without a running request is closed after the idle timeout, even if
 * bytes of a header trickle in. Where there are too many, the one that is idle for longest makes room for a new one.
 */
public final class Connections implements AdminConnections {

    private final IdleWatch watch;
    private final AcceptedConnections accepted;
    private final int most;
    private final IntConsumer changed;
    private final BooleanSupplier leaving;

    /** The one that was used the longest ago is the first. */
    private final Map<HttpConnection, State> open = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param changed receives each connection that opens (1) or closes (-1)
     * @param leaving whether the gateway is about to stop, so that each connection is closed with its next response
     */
    public Connections(
            IdleWatch watch, AcceptedConnections accepted, int most, IntConsumer changed, BooleanSupplier leaving) {
        this.watch = watch;
        this.accepted = accepted;
        this.most = most;
        this.changed = changed;
        this.leaving = leaving;
    }

    @Override
    public void opened(HttpConnection connection) {
        if (open.size() >= most && !closeOneIdle()) {
            connection.close();
            return;
        }
        stateOf(connection);
    }

    /** Spares connections that have used the token, so that a stranger cannot close them. */
    private boolean closeOneIdle() {
        for (Map.Entry<HttpConnection, State> each : open.entrySet()) {
            if (each.getValue().requests == 0 && !each.getValue().trusted) {
                HttpConnection idle = each.getKey();
                forget(idle);
                idle.close();
                return true;
            }
        }
        return false;
    }

    private State stateOf(HttpConnection connection) {
        State known = open.get(connection);
        if (known != null) {
            return known;
        }
        State state = new State(watch.start(connection::close));
        open.put(connection, state);
        changed.accept(1);
        connection.closeHandler(closed -> forget(connection));
        return state;
    }

    private void forget(HttpConnection connection) {
        State state = open.remove(connection);
        if (state != null) {
            state.idle.stop();
            changed.accept(-1);
        }
    }

    @Override
    public void began(HttpServerRequest request) {
        began(request, () -> {});
    }

    /**
     * Notes that a request is under way.
     *
     * @param whenEnded runs when its response has ended or its connection is gone
     */
    void began(HttpServerRequest request, Runnable whenEnded) {
        accepted.passing(request.connection());
        State state = stateOf(request.connection());
        state.requests++;
        state.idle.stop();
        boolean leaves =
                leaving.getAsBoolean() && request.version() == HttpVersion.HTTP_1_1 && !Headers.isUpgrade(request);
        boolean last = leaves || Headers.asksToClose(request);
        if (leaves) {
            // The next request of this client finds another gateway.
            request.response().headersEndHandler(head -> request.response().putHeader("Connection", "close"));
        }
        request.response().endHandler(ended -> {
            state.requests--;
            whenEnded.run();
            if (last) {
                request.connection().close();
            }
            if (state.requests == 0 && open.containsKey(request.connection())) {
                state.idle.restart();
                accepted.resting(request.connection());
            }
        });
    }

    /** Notes that the request has a key and a caller: its connection is not closed to make room for others. */
    void protect(HttpServerRequest request) {
        accepted.protect(request.connection());
    }

    /** Breaks a response off; what its client has not read of it is lost. */
    void breakOff(HttpServerRequest request) {
        request.response().reset();
        if (request.version() != HttpVersion.HTTP_2) {
            accepted.cut(request.connection());
        }
    }

    @Override
    public void trust(HttpConnection connection, boolean trusted) {
        State state = open.get(connection);
        if (state != null) {
            state.trusted = trusted;
        }
    }

    @Override
    public boolean isTrusted(HttpConnection connection) {
        State state = open.get(connection);
        return state != null && state.trusted;
    }

    private static final class State {

        private final IdleWatch.Entry idle;
        private int requests;
        private boolean trusted;

        private State(IdleWatch.Entry idle) {
            this.idle = idle;
        }
    }
}
