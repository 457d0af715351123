package dev.semel.torture.node;

/** What a node serves with. */
interface NodeServer {

    int port();

    void close();
}
