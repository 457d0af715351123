package dev.semel.gateway.admin;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The console's files, which are in the jar: small, few, and kept in memory once read. */
final class ConsoleFiles {

    /** Plain names in plain directories: nothing that could lead out of the console's own. */
    private static final Pattern NAME = Pattern.compile("(?:[a-z0-9-]+/)*[a-z0-9-]+(?:\\.[a-z0-9-]+)+");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "mjs", "text/javascript;charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "woff2", "font/woff2",
            "txt", "text/plain;charset=utf-8",
            "json", "application/json");

    private static final Map<String, Buffer> READ = new ConcurrentHashMap<>();

    private ConsoleFiles() {}

    static void serve(HttpServerRequest request, String path) {
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            Json.problem(request, 405, "Method not allowed", "Use GET.");
            return;
        }
        String name = path.equals("/") ? "index.html" : path.substring(1);
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        Buffer file = type != null && NAME.matcher(name).matches() ? read(name) : Buffer.buffer();
        if (type == null || file.length() == 0) {
            Json.problem(request, 404, "Not found", "There is no such file.");
            return;
        }
        request.response()
                .putHeader("Content-Type", type)
                .putHeader("Cache-Control", "no-cache")
                .putHeader("Content-Length", Integer.toString(file.length()));
        if (request.method().equals(HttpMethod.HEAD)) {
            request.response().end();
        } else {
            request.response().end(file);
        }
    }

    /** Empty if there is no such file. */
    private static Buffer read(String name) {
        Buffer known = READ.get(name);
        if (known != null) {
            return known;
        }
        try (InputStream in = ConsoleFiles.class.getResourceAsStream("/console/" + name)) {
            if (in == null) {
                return Buffer.buffer();
            }
            Buffer file = Buffer.buffer(in.readAllBytes());
            READ.put(name, file);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the console's file " + name, e);
        }
    }
}
