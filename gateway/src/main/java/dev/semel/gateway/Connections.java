package dev.semel.gateway;

import dev.semel.gateway.stats.Counters;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
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

    void opened(HttpConnection connection) {
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
        arrivals.passing(request.connection());
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
                arrivals.resting(request.connection());
            }
        });
    }

    /** Notes that the request has a key and a caller: its connection is not closed to make room for others. */
    void protect(HttpServerRequest request) {
        arrivals.protect(request.connection());
    }

    /** Breaks a response off; what its client has not read of it is lost. */
    void breakOff(HttpServerRequest request) {
        request.response().reset();
        if (request.version() != HttpVersion.HTTP_2) {
            arrivals.cut(request.connection());
        }
    }

    private static final class State {

        private final IdleWatch.Entry idle;
        private int requests;

        private State(IdleWatch.Entry idle) {
            this.idle = idle;
        }
    }
}
