package dev.semel.bench.server;

import dev.semel.bench.measure.Payload;
import dev.semel.testservers.TestPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** nginx, as the service that is measured and as the proxy to compare with: one worker, no log, connections kept. */
public final class Nginx {

    private static final String CONFIG = """
            daemon off;
            worker_processes 1;
            pid %1$s/%2$s.pid;
            error_log stderr error;
            events { worker_connections 2048; }
            http {
                access_log off;
                keepalive_requests 1000000000;
                client_body_temp_path %1$s/%2$s-body;
                proxy_temp_path %1$s/%2$s-proxy;
                fastcgi_temp_path %1$s/%2$s-fastcgi;
                uwsgi_temp_path %1$s/%2$s-uwsgi;
                scgi_temp_path %1$s/%2$s-scgi;
                %3$s
            }
            """;

    private static final int LONGEST_WORD = 2048;

    private Nginx() {}

    /** A service that does nothing but answer. */
    public static ServerProcess service(Path directory) throws IOException {
        int port = TestPorts.free();
        String answer = Payload.of("one").replace("'", "");
        return start(
                directory,
                "service",
                port,
                "server { listen 127.0.0.1:" + port + "; default_type application/json; location / { return 200 '"
                        + answer + "'; } }");
    }

    /** A service that answers with so many bytes of JSON at {@code /BYTES}. */
    public static ServerProcess service(Path directory, List<Integer> sizes) throws IOException {
        int port = TestPorts.free();
        StringBuilder server =
                new StringBuilder("server { listen 127.0.0.1:" + port + "; default_type application/json;\n");
        for (int size : sizes) {
            String answer = Payload.lines(size);
            StringBuilder whole = new StringBuilder();
            // nginx takes no word that is longer than 4 kB.
            for (int from = 0; from < size; from += LONGEST_WORD) {
                String name = "$part" + size + "_" + from;
                server.append("set %s '%s';%n"
                        .formatted(name, answer.substring(from, Math.min(size, from + LONGEST_WORD))));
                whole.append("${").append(name.substring(1)).append('}');
            }
            server.append("location = /%d { return 200 \"%s\"; }%n".formatted(size, whole));
        }
        return start(directory, "service", port, server + "}");
    }

    public static ServerProcess proxy(Path directory, int service) throws IOException {
        int port = TestPorts.free();
        return start(directory, "proxy", port, """
                upstream service { server 127.0.0.1:%d; keepalive 128; keepalive_requests 1000000000; }
                server {
                    listen 127.0.0.1:%d;
                    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
                }""".formatted(service, port));
    }

    private static ServerProcess start(Path directory, String name, int port, String servers) throws IOException {
        Path file =
                Files.writeString(directory.resolve(name + ".conf"), String.format(CONFIG, directory, name, servers));
        return ServerProcess.start(directory.resolve(name + ".log"), port, binary(), "-c", file.toString());
    }

    private static String binary() throws IOException {
        for (String path :
                List.of("/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx", "/usr/local/bin/nginx")) {
            if (Files.isExecutable(Path.of(path))) {
                return path;
            }
        }
        throw new IOException("nginx is needed to compare with (on Debian: apt-get install nginx-light)");
    }
}
