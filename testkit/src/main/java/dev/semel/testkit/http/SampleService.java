package dev.semel.testkit.http;

import dev.semel.Header;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The application behind the gate, without a framework. It counts its runs, and ends slow ones when told to. */
public final class SampleService {

    /** The application was busy, and executed nothing. */
    public static final class Busy extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Busy() {
            super("try again later");
        }
    }

    private static final int PIECES = 5;
    private static final int CREATED = 201;
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;

    private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Void>> ends = new ConcurrentHashMap<>();

    /** How often the handler has run for this test. */
    public int runs(String testCase) {
        return runs.computeIfAbsent(testCase, name -> new AtomicInteger()).get();
    }

    /** Lets the slow requests of this test end. */
    public void end(String testCase) {
        ends.computeIfAbsent(testCase, name -> new CompletableFuture<>()).complete(null);
    }

    /**
     * Handles a request. Its exceptions, and the failure of the stage, must reach the framework's own error handling;
     * the stage may complete on another thread.
     */
    public CompletionStage<SampleResponse> respond(SampleRequest request) {
        Endpoint endpoint = Endpoint.of(request.path())
                .orElseThrow(() -> new IllegalArgumentException("no such path: " + request.path()));
        int run = runs.computeIfAbsent(request.testCase(), name -> new AtomicInteger())
                .incrementAndGet();
        return switch (endpoint) {
            case SLOW, WAIT, GIVE_UP, PREFER, ACCEPTED ->
                ends.computeIfAbsent(request.testCase(), name -> new CompletableFuture<>())
                        .thenApply(ended -> created(run));
            case ASYNC -> later(created(run));
            case ASYNC_ERROR -> later(error(request));
            case STATUS -> now(text(request.parameter("code", OK), "run " + run));
            case SEND_ERROR -> now(error(request));
            case THROW -> throw new IllegalStateException("the handler broke in run " + run);
            case NOT_EXECUTED -> failFirst(run, new NotExecutedException("not yet", null));
            case BUSY -> failFirst(run, new Busy());
            case UNKNOWN -> throw new OutcomeUnknownException("the processor did not answer", null);
            case LARGE -> now(large(request.parameter("size", 0), run));
            case GZIP -> now(gzip(run));
            case CHUNKED -> now(chunked(run));
            case EMPTY -> now(new SampleResponse(OK, List.of(), List.of(), false));
            case NO_CONTENT -> now(new SampleResponse(NO_CONTENT, List.of(), List.of(), false));
            default -> now(created(run));
        };
    }

    private static CompletionStage<SampleResponse> now(SampleResponse response) {
        return CompletableFuture.completedStage(response);
    }

    private static CompletionStage<SampleResponse> later(SampleResponse response) {
        return CompletableFuture.supplyAsync(
                () -> response, CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
    }

    private static CompletionStage<SampleResponse> failFirst(int run, @Nullable RuntimeException failure) {
        if (run == 1 && failure != null) {
            throw failure;
        }
        return now(created(run));
    }

    private static SampleResponse created(int run) {
        List<Header> headers = List.of(
                new Header("Content-Type", "application/json"),
                new Header("Content-Language", "en"),
                new Header("Location", "/charges/" + run),
                new Header("ETag", "\"v" + run + "\""),
                new Header("Link", "</charges>; rel=\"collection\""),
                new Header("Cache-Control", "private"),
                new Header("Set-Cookie", "session=" + run),
                new Header("X-Request-Id", "request-" + run));
        return new SampleResponse(
                CREATED, headers, List.of(bytes("{ \"run\" : " + run + ", \"sign\":\"\u20ac\" }\n")), false);
    }

    private static SampleResponse text(int status, String body) {
        return new SampleResponse(
                status, List.of(new Header("Content-Type", "text/plain;charset=UTF-8")), List.of(bytes(body)), false);
    }

    private static SampleResponse error(SampleRequest request) {
        return new SampleResponse(request.parameter("code", 409), List.of(), List.of(), true);
    }

    private static SampleResponse large(int size, int run) {
        byte[] body = new byte[size];
        for (int i = 0; i < size; i++) {
            body[i] = (byte) (i * 31 + run);
        }
        List<Header> headers = List.of(
                new Header("Content-Type", "application/octet-stream"), new Header("Location", "/files/" + run));
        return new SampleResponse(CREATED, headers, List.of(body), false);
    }

    private static SampleResponse gzip(int run) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(bytes("run " + run));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Header> headers =
                List.of(new Header("Content-Type", "text/plain"), new Header("Content-Encoding", "gzip"));
        return new SampleResponse(OK, headers, List.of(bytes.toByteArray()), false);
    }

    private static SampleResponse chunked(int run) {
        List<byte[]> chunks = new ArrayList<>();
        for (int i = 0; i < PIECES; i++) {
            chunks.add(bytes("run " + run + ", piece " + i + "\n"));
        }
        return new SampleResponse(OK, List.of(new Header("Content-Type", "text/plain")), chunks, false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
