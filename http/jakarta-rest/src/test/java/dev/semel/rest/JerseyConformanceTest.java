package dev.semel.rest;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("dev.semel.rest.JerseyServlets#areThere")
class JerseyConformanceTest extends RestConformance {

    @Override
    Servlet servlet(Application application) {
        return JerseyServlets.of(application);
    }
}
