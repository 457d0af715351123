package dev.semel.gateway.proxy;

import dev.semel.Attempt;
import dev.semel.gateway.config.Upstream;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides which headers are passed on, and which the gateway adds. */
final class Headers {

    static final String ATTEMPT = "Semel-Attempt";
    static final String FENCING_TOKEN = "Semel-Fencing-Token";

    /** The prefix of the gateway's own headers, which are accepted from no one else. */
    private static final String OWN_PREFIX = "semel-";

    private static final String VIA_NAME = "semel";

    /** Headers that concern one connection (RFC 9110, 7.6.1), and headers that HTTP/2 does not have. */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final String FORWARDED_PREFIX = "x-forwarded-";

    /**
     * Headers in which a proxy in front describes the client or its request, besides those that begin with {@link
     * #FORWARDED_PREFIX}.
     */
    private static final Set<String> FORWARDED = Set.of("forwarded", "x-original-url", "x-real-ip", "x-rewrite-url");

    /** Headers that a proxy in front sets, replacing those of the client. */
    private static final List<String> ONE_FORWARDED =
            List.of("X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Port");

    /** Those that the gateway writes itself, or that nothing behind it should believe: CGI takes {@code Proxy} for its own. */
    private static final Set<String> NOT_PASSED_ON = Set.of("host", "expect", "cookie", "proxy");

    /** Headers that describe the framing of a message or its sender. */
    private static final Set<String> SENSITIVE = Set.of("authorization", "content-length", "content-type");

    private Headers() {}

    /** Fills the header of a request to the upstream, all but its host and length. */
    static void toUpstream(HttpServerRequest from, MultiMap to, Upstream upstream, @Nullable Attempt attempt) {
        MultiMap headers = from.headers();
        String peer = from.remoteAddress() == null ? null : from.remoteAddress().hostAddress();
        boolean trustForwarded = upstream.forwardedBy().trusts(peer);
        for (Map.Entry<String, String> header : headers) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (travels(name, trustForwarded) && !isForged(name, headers, trustForwarded)) {
                to.add(header.getKey(), header.getValue());
            }
        }
        // HTTP/2 may send one cookie per line, which HTTP/1.1 forbids.
        List<String> cookies = headers.getAll("cookie");
        if (!cookies.isEmpty()) {
            to.add("Cookie", String.join("; ", cookies));
        }
        if (headers.getAll("te").stream()
                .anyMatch(te -> te.toLowerCase(Locale.ROOT).contains("trailers"))) {
            to.set("TE", "trailers");
        }
        addForwarded(from, peer, to);
        addVia(to, from.version());
        if (attempt != null) {
            to.set(ATTEMPT, Integer.toString(attempt.number()));
            to.set(FENCING_TOKEN, Long.toString(attempt.token()));
        }
    }

    private static boolean travels(String name, boolean trustForwarded) {
        return !HOP_BY_HOP.contains(name)
                && !NOT_PASSED_ON.contains(name)
                && !name.startsWith(OWN_PREFIX)
                && !name.startsWith(":")
                && (trustForwarded || !isForwarded(name));
    }

    private static boolean isForwarded(String name) {
        return FORWARDED.contains(name) || name.startsWith(FORWARDED_PREFIX);
    }

    /** Many services take underscores for dashes, so that such a name can stand for one that means something. */
    private static boolean isForged(String name, MultiMap headers, boolean trustForwarded) {
        if (name.indexOf('_') < 0) {
            return false;
        }
        String meant = name.replace('_', '-');
        return !travels(meant, trustForwarded)
                || isForwarded(meant)
                || SENSITIVE.contains(meant)
                || headers.contains(meant);
    }

    /**
     * Removes what the connection header declares to be of the connection, so that the gateway uses nothing that the service
     * does not get.
     */
    static void removeClaimedByConnection(HttpServerRequest request) {
        for (String name : connectionOptions(request.headers())) {
            if (!HOP_BY_HOP.contains(name)) {
                request.headers().remove(name);
            }
        }
    }

    private static void addForwarded(HttpServerRequest from, @Nullable String client, MultiMap to) {
        if (client != null) {
            List<String> before = new ArrayList<>(to.getAll("X-Forwarded-For"));
            before.add(client);
            to.set("X-Forwarded-For", String.join(", ", before));
        }
        for (String name : ONE_FORWARDED) {
            List<String> lines = to.getAll(name);
            if (lines.size() > 1) {
                to.set(name, lines.get(lines.size() - 1));
            }
        }
        if (!to.contains("X-Forwarded-Proto")) {
            to.set("X-Forwarded-Proto", from.isSSL() ? "https" : "http");
        }
        if (!to.contains("X-Forwarded-Host") && from.authority() != null) {
            to.set("X-Forwarded-Host", from.authority().toString());
        }
    }

    /** Fills the header of a response to the client. */
    static void toClient(MultiMap from, MultiMap to, HttpVersion received) {
        Set<String> dropped = connectionOptions(from);
        for (Map.Entry<String, String> header : from) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!HOP_BY_HOP.contains(name) && !dropped.contains(name) && !name.startsWith(":")) {
                to.add(header.getKey(), header.getValue());
            }
        }
        addVia(to, received);
    }

    /** The status line and the header of a response, as the client is to get them. */
    static void head(HttpClientResponse from, HttpServerRequest request) {
        HttpServerResponse to = request.response();
        to.setStatusCode(from.statusCode());
        if (request.version() != HttpVersion.HTTP_2 && !from.statusMessage().isEmpty()) {
            to.setStatusMessage(from.statusMessage());
        }
        toClient(from.headers(), to.headers(), from.version());
    }

    private static void addVia(MultiMap to, HttpVersion received) {
        String own = switch (received) {
                    case HTTP_1_0 -> "1.0 ";
                    case HTTP_1_1 -> "1.1 ";
                    case HTTP_2 -> "2.0 ";
                    default -> "3.0 ";
                }
                + VIA_NAME;
        List<String> before = to.getAll("Via");
        to.set("Via", before.isEmpty() ? own : String.join(", ", before) + ", " + own);
    }

    /** The names that the connection header declares to be of this connection only. */
    static Set<String> connectionOptions(MultiMap headers) {
        List<String> lines = headers.getAll("connection");
        if (lines.isEmpty()) {
            return Set.of();
        }
        Set<String> names = new HashSet<>();
        for (String line : lines) {
            for (String option : line.split(",")) {
                names.add(option.strip().toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    /** Whether the client will send no further request on this connection. */
    static boolean asksToClose(HttpServerRequest request) {
        return request.version() == HttpVersion.HTTP_1_1
                && connectionOptions(request.headers()).contains("close");
    }

    /**
     * Whether the client asks to leave HTTP on this connection, as for a WebSocket. HTTP/2 is HTTP: in a tunnel, its requests
     * would reach the upstream unprotected.
     */
    static boolean isUpgrade(HttpServerRequest request) {
        return request.version() == HttpVersion.HTTP_1_1
                && request.headers().contains("upgrade")
                && connectionOptions(request.headers()).contains("upgrade")
                && request.headers().getAll("upgrade").stream().noneMatch(Headers::namesHttp);
    }

    private static boolean namesHttp(String protocols) {
        return Stream.of(protocols.toLowerCase(Locale.ROOT).split(","))
                .map(String::trim)
                .anyMatch(protocol -> protocol.equals("h2c") || protocol.equals("h2") || protocol.startsWith("http/"));
    }
}
