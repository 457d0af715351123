/** The common part of the consumers of all message brokers: it runs a message under its key. */
module dev.semel.messaging {
    requires java.net.http;
    requires java.sql;
    requires transitive dev.semel.core;
    requires static org.jspecify;

    exports dev.semel.messaging;
}
