package dev.semel.gateway;

import dev.semel.check.CheckTarget;
import dev.semel.testkit.check.ChargeService;
import dev.semel.testkit.check.SafeToRetry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The cases of {@code semel check} on the gateway. */
class GatewayCheckTest implements SafeToRetry {

    private static ChargeService service;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        service = ChargeService.start();
        gateway = TestGateway.start(service.uri().toString(), "scope", "credential", "require-key", "true");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        service.close();
    }

    @Override
    public CheckTarget target() {
        return service.target(gateway.uri("/")).keyRequired(true).build();
    }
}
