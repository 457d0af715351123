package dev.semel.servlet;

import dev.semel.Header;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.SampleRequest;
import dev.semel.testkit.http.SampleResponse;
import dev.semel.testkit.http.SampleService;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Serves the sample application as a servlet does. */
final class SampleServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final Set<Endpoint> ASYNCHRONOUS = Set.of(Endpoint.ASYNC, Endpoint.ASYNC_ERROR);

    private final transient SampleService service;

    SampleServlet(SampleService service) {
        this.service = service;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        SampleRequest sample = new SampleRequest(
                request.getRequestURI(), request.getQueryString(), request.getHeader(SampleRequest.CASE));
        CompletionStage<SampleResponse> answer = service.respond(sample);
        if (!ASYNCHRONOUS.contains(Endpoint.of(sample.path()).orElseThrow())) {
            write(answer.toCompletableFuture().join(), response);
            return;
        }
        AsyncContext async = request.startAsync();
        answer.thenAccept(made -> {
            try {
                write(made, (HttpServletResponse) async.getResponse());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            async.complete();
        });
    }

    private static void write(SampleResponse answer, HttpServletResponse response) throws IOException {
        if (answer.error()) {
            response.sendError(answer.status(), "as told");
            return;
        }
        response.setStatus(answer.status());
        for (Header header : answer.headers()) {
            response.addHeader(header.name(), header.value());
        }
        for (byte[] chunk : answer.chunks()) {
            response.getOutputStream().write(chunk);
            response.flushBuffer();
        }
    }
}
