package dev.semel.spring.failures;

import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.ConfigurableApplicationContext;

class WebFluxStreamsTest extends StreamContract {

    private static ConfigurableApplicationContext context;

    WebFluxStreamsTest() {
        super(context);
    }

    /** Not closed: other tests share the threads of Netty. */
    @BeforeAll
    static void start() {
        context = WebFluxFailures.start();
    }
}
