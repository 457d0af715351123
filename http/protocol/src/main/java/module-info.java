/** The protocol of idempotency keys over HTTP, without a framework. */
module dev.semel.http {
    requires java.json.canonicalization;
    requires org.slf4j;
    requires structured.fields;
    requires tools.jackson.core;
    requires transitive dev.semel.core;
    requires static org.jspecify;

    exports dev.semel.http;
    exports dev.semel.http.behaviour;
    exports dev.semel.http.dialect;
    exports dev.semel.http.key;
    exports dev.semel.http.openapi;
    exports dev.semel.http.problem;
    exports dev.semel.http.shadow;
    exports dev.semel.http.spool;
    exports dev.semel.http.stored;
}
