package dev.semel.gateway;

import dev.semel.gateway.framing.RequestGuard;
import dev.semel.gateway.stats.Counters;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The clients' connections of one event loop. One without a request under way is closed after the idle timeout, also
 * when bytes of a header trickle in.
 */
final class Connections {

    private final IdleWatch watch;
    private final Arrivals arrivals;
    private final Counters counters;
    private final Map<HttpConnection, State> open = new IdentityHashMap<>();

    Connections(IdleWatch watch, Arrivals arrivals, Counters counters) {
        this.watch = watch;
        this.arrivals = arrivals;
        this.counters = counters;
    }

    void opened(HttpConnection connection, int maxHeader) {
        RequestGuard.guard(connection, maxHeader);
        stateOf(connection);
    }

    private State stateOf(HttpConnection connection) {
        State known = open.get(connection);
        if (known != null) {
            return known;
        }
        State state = new State(watch.start(connection::close));
        open.put(connection, state);
        counters.connectionOpened();
        connection.closeHandler(closed -> {
            state.idle.stop();
            if (open.remove(connection) != null) {
                counters.connectionClosed();
            }
        });
        return state;
    }

    /** Notes that a request is under way, until its response has ended or its connection is gone. */
    void began(HttpServerRequest request) {
        arrivals.arrived(request.connection());
        State state = stateOf(request.connection());
        state.requests++;
        state.idle.stop();
        boolean last = Headers.asksToClose(request);
        request.response().endHandler(ended -> {
            state.requests--;
            if (last) {
                request.connection().close();
            }
            if (state.requests == 0 && open.containsKey(request.connection())) {
                state.idle.restart();
            }
        });
    }

    private static final class State {

        private final IdleWatch.Entry idle;
        private int requests;

        private State(IdleWatch.Entry idle) {
            this.idle = idle;
        }
    }
}
