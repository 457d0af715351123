package dev.semel.torture.database;

import java.util.List;
import java.util.stream.Collectors;

/** How nodes and the conductor address PostgreSQL. */
final class PostgresUrls {

    private PostgresUrls() {}

    /** For nodes: without encryption, which a {@code DatabaseWire} could not read, and with timeouts as a service should have. */
    static String url(int port) {
        return url(List.of(port));
    }

    /** The same for several servers, one of which leads. */
    static String url(List<Integer> ports) {
        return address(ports) + "&connectTimeout=2&socketTimeout=3&tcpKeepAlive=true";
    }

    /** For the conductor, whose statements may take longer. */
    static String directUrl(int port) {
        return directUrl(List.of(port));
    }

    static String directUrl(List<Integer> ports) {
        return address(ports) + "&connectTimeout=2&socketTimeout=60";
    }

    private static String address(List<Integer> ports) {
        return ports.stream()
                        .map(port -> "127.0.0.1:" + port)
                        .collect(Collectors.joining(",", "jdbc:postgresql://", "/"))
                + "postgres?user=postgres&sslmode=disable&gssEncMode=disable"
                + (ports.size() > 1 ? "&targetServerType=primary&hostRecheckSeconds=1" : "");
    }
}
