package dev.semel.gateway.proxy;

import static dev.semel.fuzz.Fuzz.require;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Route;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.gateway.config.YamlFile;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Forwards the head of a request as the gateway does, and reads the bytes as a strict service would. */
final class Forwarding {

    static final String BASE = "/api";
    static final GatewayConfig CONFIG = config();

    private static final Pattern REQUEST_LINE = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Z-]+ [!-~]+ HTTP/1\\.1");
    private static final Pattern FIELD_LINE =
            Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+: ?(?:[\\t\\x20-\\x7e\\x80-\\xff]*)");
    private static final Pattern BELOW_BASE = Pattern.compile(BASE + "(?:[/?]|$)");
    private static final Pattern NOT_OURS = Pattern.compile(
            "(?i)(?:connection|keep-alive|proxy|proxy[-_].*|semel_.*|trailer|upgrade|x_forwarded_.*):.*");
    private static final RequestCheck CHECK = new RequestCheck(CONFIG.scope());

    private Forwarding() {}

    private static GatewayConfig config() {
        Settings settings = new Settings()
                .putOption(Setting.UPSTREAM, "http://127.0.0.1:9" + BASE)
                .putOption(Setting.LISTEN, "127.0.0.1:0")
                .putOption(Setting.SCOPE, "header:X-User")
                .putOption(Setting.ADMIN, "off");
        try {
            Path file = Files.createTempFile("semel-fuzz-", ".yaml");
            try {
                Files.writeString(
                        file,
                        "routes:\n  - path: /charges/**\n    require-key: true\n"
                                + "  - path: /search/**\n    protect: false\n");
                return GatewayConfig.of(settings, YamlFile.read(file, settings));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the gateway passes the request on; if it does, the rules of this class hold. */
    static boolean check(HttpServerRequest request) {
        RequestTarget target = RequestTarget.of(request);
        if (CHECK.complaintOf(request, target) != null || target == null) {
            return false;
        }
        Headers.removeClaimedByConnection(request);
        Route route = ProxyHandler.routeOf(CONFIG.routes(), target.path());
        if (route == null) {
            return false;
        }
        MultiMap headers = HttpHeaders.headers();
        try {
            Headers.toUpstream(request, headers, CONFIG.upstream(), null);
        } catch (IllegalArgumentException refused) {
            return false;
        }
        // The client of the gateway writes the host and the framing itself, whatever the headers say.
        headers.remove("Content-Length");
        headers.set("Host", "upstream");
        String sent = target.below(BASE);
        require(BELOW_BASE.matcher(sent).lookingAt(), "stays below the base path", sent);
        read(request, sent, headers, encoded(request.method().name(), sent, headers));
        return true;
    }

    private static String encoded(String method, String target, MultiMap headers) {
        DefaultHttpRequest written = new DefaultHttpRequest(
                io.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                io.netty.handler.codec.http.HttpMethod.valueOf(method),
                target,
                DefaultHttpHeadersFactory.headersFactory().withValidation(false));
        headers.forEach((name, value) -> written.headers().add(name, value));
        EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestEncoder());
        try {
            channel.writeOutbound(written);
            ByteBuf bytes = channel.readOutbound();
            String text = bytes.toString(StandardCharsets.ISO_8859_1);
            bytes.release();
            return text;
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private static void read(HttpServerRequest request, String target, MultiMap headers, String bytes) {
        require(bytes.indexOf("\r\n\r\n") == bytes.length() - 4, "one head", bytes);
        List<String> lines = List.of(bytes.substring(0, bytes.length() - 4).split("\r\n", -1));
        require(REQUEST_LINE.matcher(lines.get(0)).matches(), "a request line", lines.get(0));
        require(
                lines.get(0).equals(request.method() + " " + target + " HTTP/1.1"),
                "what is matched is sent",
                lines.get(0));
        require(lines.size() == headers.entries().size() + 1, "a line for each header", bytes);
        int hosts = 0;
        for (String line : lines.subList(1, lines.size())) {
            require(FIELD_LINE.matcher(line).matches(), "a header line", line);
            String lower = line.toLowerCase(Locale.ROOT);
            require(!NOT_OURS.matcher(line).matches(), "a header that does not travel", line);
            require(!lower.startsWith("transfer-encoding:"), "no framing of the client", line);
            require(!lower.startsWith("semel-"), "no header that only the gateway writes", line);
            hosts += lower.startsWith("host:") ? 1 : 0;
        }
        require(hosts == 1, "one host", bytes);
        require(SeenRequest.CLIENT.equals(headers.get("X-Forwarded-For")), "the client is the peer", headers);
        for (String name : List.of("Idempotency-Key", "Authorization", "X-User")) {
            require(headers.getAll(name).equals(request.headers().getAll(name)), "what the gateway uses is sent", name);
        }
    }

    static boolean isCharge(Route route) {
        return route.operation().equals("/charges/**");
    }
}
