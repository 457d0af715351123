/** Spans in an OpenTelemetry tracer. */
module dev.semel.opentelemetry {
    requires io.opentelemetry.context;
    requires transitive dev.semel.core;
    requires transitive io.opentelemetry.api;
    requires static org.jspecify;

    exports dev.semel.opentelemetry;
}
