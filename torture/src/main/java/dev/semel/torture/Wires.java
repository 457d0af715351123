package dev.semel.torture;

/** How nodes and the conductor address PostgreSQL. */
final class Wires {

    private Wires() {}

    /** Without encryption, which a {@link Wire} could not read, and with timeouts, as every service should have. */
    static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable&gssEncMode=disable"
                + "&connectTimeout=2&socketTimeout=3&tcpKeepAlive=true";
    }
}
