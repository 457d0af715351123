/** A transactional outbox, and the relay that delivers its messages. */
module dev.semel.outbox {
    requires java.net.http;
    requires org.slf4j;
    requires transitive dev.semel.client;
    requires transitive dev.semel.core;
    requires transitive dev.semel.messaging;
    requires transitive java.sql;
    requires static org.postgresql.jdbc;
    requires static org.jspecify;

    exports dev.semel.outbox;
}
