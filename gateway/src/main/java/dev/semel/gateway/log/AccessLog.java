package dev.semel.gateway.log;

import io.vertx.core.http.HttpServerRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a line for each request, if it is switched on. It can be switched on and off while the gateway runs. */
public final class AccessLog {

    static final Logger LOG = LoggerFactory.getLogger("dev.semel.access");

    private static final AccessLine NONE = new AccessLine(null);

    private volatile boolean on;

    public AccessLog(boolean on) {
        this.on = on;
    }

    public void use(boolean wanted) {
        on = wanted;
    }

    /** The line of a request that has just arrived. */
    public AccessLine begin(HttpServerRequest request) {
        return on ? new AccessLine(request) : NONE;
    }
}
