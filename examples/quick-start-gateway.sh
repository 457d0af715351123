#!/bin/sh
# Runs what docs/getting-started/gateway.md shows: the gateway as one jar, in front of a service that does not know of keys.
set -eu
# shellcheck source=examples/quick-start-parts.sh
. "$(dirname -- "$0")/quick-start-parts.sh"

quoted() {
    typed docs/getting-started/gateway.md '# Getting started with the gateway' "$@"
}

deploy gateway
# A release publishes it.
jar=$(ls "$repository"/dev/semel/semel-gateway/*/semel-gateway-*-all.jar 2>/dev/null || echo "$root/gateway/target/semel.jar")
cat >"$work/Service.java" <<END
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

public class Service {
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        server.createContext("/", exchange -> {
            byte[] body = ("charge " + java.util.UUID.randomUUID()).getBytes();
            exchange.sendResponseHeaders(201, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
END
upstream=$((port + 1))
java "$work/Service.java" $upstream >"$work/beside.log" 2>&1 &
helpers=$!

quoted sh 2 >"$work/page"
serve=$(sed -n 's|^semel serve \(.*\):9000|\1:'$upstream'|p' "$work/page")
[ -n "$serve" ] || { echo "the page does not start the gateway" >&2; exit 1; }
cd "$work"
# The page has the port of everybody, and words that the shell separates.
# shellcheck disable=SC2086
java -jar "$jar" serve $serve --listen "127.0.0.1:$port" --admin 127.0.0.1:0 >"$work/service.log" 2>&1 &
service=$!
grep '^curl ' "$work/page" | replayed
