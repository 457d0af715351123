package dev.semel.gateway.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The service behind the gateway, and how to talk to it.
 *
 * @param ca certificates to trust instead of the JDK's
 * @param keepAlive how long an unused connection is kept
 * @param connections the most connections for requests with a key
 * @param passConnections the most connections for requests without a key
 * @param queue the most requests that wait for a connection
 * @param forwardedBy whose {@code X-Forwarded-*} headers are believed
 */
public record Upstream(
        URI url,
        @Nullable Path ca,
        boolean http2,
        int connections,
        int passConnections,
        int queue,
        Duration keepAlive,
        Duration connectTimeout,
        boolean preserveHost,
        TrustedProxies forwardedBy) {

    public boolean isTls() {
        return Parse.isTls(url);
    }

    /** The host to connect to; an IPv6 address without its brackets. */
    public String host() {
        return Parse.address(url).host();
    }

    public int port() {
        return Parse.address(url).port();
    }

    /** The prefix of every path; empty for a service at the root. */
    public String basePath() {
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
