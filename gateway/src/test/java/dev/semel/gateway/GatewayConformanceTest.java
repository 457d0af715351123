package dev.semel.gateway;

import dev.semel.testkit.http.HttpConformance;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The protocol, point by point, through the gateway to a service behind it, configured by a file. */
class GatewayConformanceTest extends HttpConformance {

    private static SampleGateway gateway;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        gateway = new SampleGateway(directory);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Override
    protected URI baseUri() {
        return gateway.uri();
    }

    @Override
    protected SampleService service() {
        return gateway.service;
    }

    @Override
    protected SwitchableStore store() {
        return gateway.store;
    }
}
