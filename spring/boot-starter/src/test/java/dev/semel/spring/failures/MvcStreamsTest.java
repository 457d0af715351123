package dev.semel.spring.failures;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.ConfigurableApplicationContext;

class MvcStreamsTest extends StreamContract {

    private static ConfigurableApplicationContext context;

    MvcStreamsTest() {
        super(context);
    }

    @BeforeAll
    static void start() {
        context = MvcFailures.start();
    }

    @AfterAll
    static void stop() {
        context.close();
    }
}
