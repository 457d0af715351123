package dev.semel.rest;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("dev.semel.rest.RestEasyServlets#areThere")
class RestEasyKilledTest extends KilledServers {

    public static void main(String[] args) throws Exception {
        DoomedServer.run(args, RestEasyServlets::of);
    }

    @Override
    Servlet servlet(Application application) {
        return RestEasyServlets.of(application);
    }

    @Override
    Class<?> doomed() {
        return RestEasyKilledTest.class;
    }
}
