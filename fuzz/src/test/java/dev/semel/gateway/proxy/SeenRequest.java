package dev.semel.gateway.proxy;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.lang.reflect.Proxy;

/** The head of a request as the gateway sees it, without a connection. */
final class SeenRequest {

    static final String CLIENT = "192.0.2.7";
    private static final SocketAddress ADDRESS = SocketAddress.inetSocketAddress(4711, CLIENT);

    private SeenRequest() {}

    static HttpServerRequest of(HttpVersion version, String method, String uri, String authority, MultiMap headers) {
        HttpMethod asMethod = HttpMethod.valueOf(method);
        HostAndPort parsed = authority == null ? null : HostAndPort.parseAuthority(authority, -1);
        return (HttpServerRequest) Proxy.newProxyInstance(
                SeenRequest.class.getClassLoader(),
                new Class<?>[] {HttpServerRequest.class},
                (proxy, called, arguments) -> switch (called.getName()) {
                    case "version" -> version;
                    case "method" -> asMethod;
                    case "uri" -> uri;
                    case "authority" -> parsed;
                    case "headers" -> headers;
                    case "getHeader" -> headers.get(arguments[0].toString());
                    case "remoteAddress" -> ADDRESS;
                    case "isSSL" -> version == HttpVersion.HTTP_2;
                    default -> throw new UnsupportedOperationException(called.getName());
                });
    }
}
