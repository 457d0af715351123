package dev.semel.servlet;

import dev.semel.check.CheckTarget;
import dev.semel.testkit.check.ChargeService;
import dev.semel.testkit.check.SafeToRetry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The cases of {@code semel check} on some container. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServletCheck implements SafeToRetry {

    private ChargeService service;
    private TestServer server;

    abstract TestServer start() throws Exception;

    @BeforeAll
    void startServer() throws Exception {
        service = ChargeService.start();
        server = start();
        server.own.handler(this::charge);
    }

    @AfterAll
    void stopServer() throws Exception {
        server.close();
        service.close();
    }

    private void charge(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        ChargeService.Charge charge = service.charge(request::getHeader, body);
        try {
            Thread.sleep(charge.delay().toMillis());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        response.setStatus(charge.status());
        charge.headers().forEach(response::setHeader);
        response.getOutputStream().write(charge.body().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public CheckTarget target() {
        return service.target(server.uri().resolve("/own/")).keyRequired(true).build();
    }
}
