package dev.semel.spring.failures;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.ConfigurableApplicationContext;

class MvcNestedCallTest extends NestedCallContract {

    private static ConfigurableApplicationContext context;

    MvcNestedCallTest() {
        super(context);
    }

    @BeforeAll
    static void start() {
        context = MvcFailures.start(NestedCalls.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }
}
