package dev.semel.gateway;

import dev.semel.testkit.http.DialectConformance;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Every dialect through the gateway, which routes choose by their paths. */
class GatewayDialectsTest extends DialectConformance {

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
