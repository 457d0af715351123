/** What consumers of all message brokers have in common: how a message is run under its key. */
module dev.semel.messaging {
    requires java.net.http;
    requires java.sql;
    requires transitive dev.semel.core;
    requires static org.jspecify;

    exports dev.semel.messaging;
}
