package dev.semel.rest;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("dev.semel.rest.JerseyServlets#areThere")
class JerseyKilledTest extends KilledServers {

    public static void main(String[] args) throws Exception {
        DoomedServer.run(args, JerseyServlets::of);
    }

    @Override
    Servlet servlet(Application application) {
        return JerseyServlets.of(application);
    }

    @Override
    Class<?> doomed() {
        return JerseyKilledTest.class;
    }
}
