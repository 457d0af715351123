package dev.semel.quarkus.it;

import dev.semel.testkit.http.HttpConformance;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;

/** The protocol on a kind of resource methods. */
abstract class QuarkusConformance extends HttpConformance {

    @TestHTTPResource("/")
    URI uri;

    @Inject
    SampleService service;

    @Inject
    SwitchableStore store;

    @Override
    protected URI baseUri() {
        return uri;
    }

    @Override
    protected SampleService service() {
        return service;
    }

    @Override
    protected SwitchableStore store() {
        return store;
    }
}
