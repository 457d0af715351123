/** A filter that makes requests to Spring WebFlux safe to retry. */
module dev.semel.webflux {
    requires org.reactivestreams;
    requires org.slf4j;
    requires spring.core;
    requires transitive dev.semel.http;
    requires transitive reactor.core;
    requires transitive spring.web;
    requires static org.jspecify;

    exports dev.semel.webflux;
}
