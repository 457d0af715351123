package dev.semel.gateway.log;

import dev.semel.KeyDigest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line of the access log. It contains no body, no header and no query, and only the digest of a key. Belongs to the
 * event loop of its request.
 */
public final class AccessLine {

    private static final int LONGEST_PATH = 500;
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final @Nullable HttpServerRequest request;
    private final long began = System.nanoTime();
    private @Nullable String route;
    private @Nullable String pattern;
    private @Nullable KeyDigest key;
    private @Nullable Boolean replayed;

    AccessLine(@Nullable HttpServerRequest request) {
        this.request = request;
    }

    /**
     * Notes the operation of the request.
     *
     * @param instead what is written in the place of a path that has the key in it; {@code null} for other paths
     */
    public void route(String operation, @Nullable String instead) {
        if (request != null) {
            route = operation;
            pattern = instead;
        }
    }

    /** Notes the key of a protected request, if it got that far, and whether it was answered from the store. */
    public void answered(@Nullable KeyDigest digest, boolean fromStore) {
        if (request != null) {
            key = digest;
            replayed = fromStore;
        }
    }

    /** Writes the line; the response has ended, or its connection is gone. */
    public void write() {
        if (request == null) {
            return;
        }
        HttpServerResponse response = request.response();
        LoggingEventBuilder line = AccessLog.LOG
                .atInfo()
                .addKeyValue("method", request.method().name())
                .addKeyValue("path", pattern == null ? path(request) : pattern);
        if (route != null) {
            line = line.addKeyValue("operation", route);
        }
        line = line.addKeyValue("status", response.headWritten() ? response.getStatusCode() : 0)
                .addKeyValue("ms", millis())
                .addKeyValue("bytes", response.bytesWritten());
        if (key != null) {
            line = line.addKeyValue("key", key.toString());
        }
        if (replayed != null) {
            line = line.addKeyValue("replayed", replayed);
        }
        if (!response.ended()) {
            line = line.addKeyValue("broken", true);
        }
        String peer =
                request.remoteAddress() == null ? null : request.remoteAddress().hostAddress();
        line.addKeyValue("client", peer == null ? "?" : peer).log("request");
    }

    private double millis() {
        return Double.parseDouble(String.format(Locale.ROOT, "%.1f", (System.nanoTime() - began) / NANOS_PER_MILLI));
    }

    /** The path without the query, which may contain secrets, and without line breaks. */
    private static String path(HttpServerRequest request) {
        String path = request.path() == null ? "?" : request.path().replaceAll("\\p{Cntrl}", "?");
        return path.length() > LONGEST_PATH ? path.substring(0, LONGEST_PATH) + "..." : path;
    }
}
