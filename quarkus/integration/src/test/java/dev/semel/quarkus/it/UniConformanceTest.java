package dev.semel.quarkus.it;

import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;

/** The protocol on resource methods that return a {@code Uni} and run on event loops. */
@QuarkusTest
class UniConformanceTest extends QuarkusConformance {

    @Override
    protected URI baseUri() {
        return super.baseUri().resolve("/uni/");
    }
}
