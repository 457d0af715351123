package dev.semel.examples.conformance;

import dev.semel.examples.payments.PaymentsApplication;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.HttpConformance;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The protocol, point by point, on the payments service as it is: its configuration, its security, Tomcat, the starter
 * and PostgreSQL, with endpoints of the tests beside its own.
 */
class PaymentsConformanceTest extends HttpConformance {

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = new SpringApplicationBuilder(PaymentsApplication.class, SampleSetup.class)
                .properties(
                        "server.port=0",
                        "server.tomcat.threads.max=16",
                        "semel.claim-patience=1s",
                        "semel.settle-patience=1s",
                        "semel.http.status-path=" + Endpoint.STATUS_PATH,
                        "semel.http.documentation=" + Endpoint.DOCUMENTATION)
                .run();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Override
    protected URI baseUri() {
        return URI.create(
                "http://127.0.0.1:" + application.getEnvironment().getRequiredProperty("local.server.port") + "/");
    }

    @Override
    protected SampleService service() {
        return application.getBean(SampleService.class);
    }

    @Override
    protected SwitchableStore store() {
        return application.getBean(SampleSetup.Stores.class).switchable();
    }

    /** Spring Security stands before the filter. */
    @Override
    protected boolean letsStrangersIn() {
        return false;
    }
}
