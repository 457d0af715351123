/** Keys and safe retries for Spring's RestClient and WebClient. */
module dev.semel.client.spring {
    requires org.reactivestreams;
    requires spring.core;
    requires transitive dev.semel.client;
    requires transitive reactor.core;
    requires transitive spring.web;
    requires transitive spring.webflux;
    requires static org.jspecify;

    exports dev.semel.client.spring;
}
