package dev.semel.servlet;

import dev.semel.OutcomeUnknownException;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Reads and answers in every way that a servlet can, and says how often it has run. */
final class ShadowServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final AtomicInteger runs = new AtomicInteger();

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        int run = runs.incrementAndGet();
        switch (request.getRequestURI()) {
            case "/stream" ->
                answer(response, run, Arrays.hashCode(request.getInputStream().readAllBytes()));
            case "/bytes" -> {
                int sum = 0;
                for (int next = request.getInputStream().read();
                        next >= 0;
                        next = request.getInputStream().read()) {
                    sum = 31 * sum + next;
                }
                answer(response, run, sum);
            }
            case "/reader" ->
                answer(
                        response,
                        run,
                        request.getReader()
                                .lines()
                                .collect(Collectors.joining())
                                .hashCode());
            case "/form" ->
                answer(
                        response,
                        run,
                        String.valueOf(request.getParameter("amount")).hashCode());
            case "/unread" -> answer(response, run, 0);
            case "/declined" -> response.sendError(402, "declined " + run);
            case "/throws" -> throw new ServletException("broken " + run);
            case "/pieces" -> {
                for (int i = 0; i < 5; i++) {
                    response.getWriter().write("piece " + i + " of run " + run);
                    response.flushBuffer();
                }
            }
            case "/async" -> {
                int hash = Arrays.hashCode(request.getInputStream().readAllBytes());
                AsyncContext async = request.startAsync();
                ForkJoinPool.commonPool().execute(() -> {
                    try {
                        answer((HttpServletResponse) async.getResponse(), run, hash);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    async.complete();
                });
            }
            case "/unknown" -> throw new OutcomeUnknownException("no answer came", null);
            case "/late" -> request.startAsync().setTimeout(100);
            default -> response.setStatus(404);
        }
    }

    private static void answer(HttpServletResponse response, int run, int hash) throws IOException {
        response.setStatus(201);
        response.setHeader("Location", "/charges/" + run);
        response.addHeader("Set-Cookie", "run=" + run);
        response.getOutputStream().write(("run " + run + " read " + hash).getBytes(StandardCharsets.UTF_8));
    }
}
