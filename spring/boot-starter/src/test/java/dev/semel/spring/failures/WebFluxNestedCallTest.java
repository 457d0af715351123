package dev.semel.spring.failures;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.ConfigurableApplicationContext;

class WebFluxNestedCallTest extends NestedCallContract {

    private static ConfigurableApplicationContext context;

    WebFluxNestedCallTest() {
        super(context);
    }

    @BeforeAll
    static void start() {
        context = WebFluxFailures.start(NestedCalls.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }
}
