package dev.semel.torture.database;

/** How nodes and the conductor address PostgreSQL. */
final class PostgresUrls {

    private PostgresUrls() {}

    /** For nodes: without encryption, which a {@code DatabaseWire} could not read, and with timeouts as a service should have. */
    static String url(int port) {
        return address(port) + "&connectTimeout=2&socketTimeout=3&tcpKeepAlive=true";
    }

    /** For the conductor, whose statements may take longer. */
    static String directUrl(int port) {
        return address(port) + "&connectTimeout=2&socketTimeout=60";
    }

    private static String address(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable&gssEncMode=disable";
    }
}
