/** Makes the resource methods of Jakarta REST safe to retry, on Jersey and on RESTEasy. */
@SuppressWarnings("module") // The one that a package is exported to is compiled later.
module dev.semel.rest {
    requires transitive dev.semel.http;
    requires transitive jakarta.ws.rs;
    requires static org.glassfish.jersey.core.common;
    requires static org.glassfish.jersey.core.server;
    requires static org.jboss.resteasy.core;
    requires static org.jboss.resteasy.spi;
    requires static org.jspecify;

    exports dev.semel.rest;
    exports dev.semel.rest.message to
            dev.semel.quarkus;
}
