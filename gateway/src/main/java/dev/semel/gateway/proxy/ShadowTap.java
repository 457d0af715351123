package dev.semel.gateway.proxy;

import dev.semel.gateway.identity.CallerIdentity;
import dev.semel.http.shadow.ShadowExchange;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at a request that passes through in shadow mode, and changes nothing of it. */
final class ShadowTap {

    private static final Logger log = LoggerFactory.getLogger(ShadowTap.class);

    private final ShadowExchange exchange;
    private final CallerIdentity identity;
    private final HttpServerRequest request;
    private int status;
    private @Nullable Throwable failure;

    ShadowTap(ShadowExchange exchange, CallerIdentity identity, HttpServerRequest request) {
        this.exchange = exchange;
        this.identity = identity;
        this.request = request;
    }

    void seen(Buffer chunk) {
        exchange.body().add(chunk.getBytes(), 0, chunk.length());
    }

    void sent() {
        exchange.body().end();
    }

    void answered(int answer) {
        status = answer;
    }

    /** @param answer what the client gets instead of the answer of the service, or of its rest */
    void failed(int answer, Throwable meaning) {
        status = answer;
        failure = meaning;
    }

    /** The request is over: answered, given up, or left by its client, which does not take back what it has sent. */
    void over() {
        try {
            exchange.ended(identity.scopeOf(request), status, failure, false);
        } catch (RuntimeException e) {
            log.debug("a request in shadow mode is not recorded", e);
            exchange.abandoned();
        }
    }

    /** The request was not sent, or is none that could be recorded. */
    void abandoned() {
        exchange.abandoned();
    }
}
