/** Metrics in a Micrometer registry. */
module dev.semel.micrometer {
    requires org.slf4j;
    requires transitive dev.semel.core;
    requires transitive micrometer.core;
    requires static transitive dev.semel.http;
    requires static org.jspecify;

    exports dev.semel.micrometer;
}
