package dev.semel.grpc;

import com.google.protobuf.StringValue;
import com.google.rpc.RequestInfo;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.store.StoreException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A service that does what a request tells it to, and counts its runs by the request's case. */
final class PaymentsService {

    static final String NAME = "test.Payments";

    static final Metadata.Key<String> TEXT = Metadata.Key.of("receipt", Metadata.ASCII_STRING_MARSHALLER);
    static final Metadata.Key<byte[]> BINARY = Metadata.Key.of("receipt-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** What the case {@code charge} does. */
    volatile Consumer<String> effect = order -> {};

    private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Void>> ends = new ConcurrentHashMap<>();

    int runs(String testCase) {
        return runs.computeIfAbsent(testCase, name -> new AtomicInteger()).get();
    }

    void end(String testCase) {
        ends.computeIfAbsent(testCase, name -> new CompletableFuture<>()).complete(null);
    }

    /** What a request says is its case, what to do, and with what: {@code case/what/with}. */
    void respond(RequestInfo request, StreamObserver<StringValue> response) {
        String[] parts = request.getServingData().split("/");
        String what = parts.length > 1 ? parts[1] : "";
        int run = runs.computeIfAbsent(parts[0], name -> new AtomicInteger()).incrementAndGet();
        switch (what) {
            case "slow" ->
                ends.computeIfAbsent(parts[0], name -> new CompletableFuture<>())
                        .thenRun(() -> answer(response, "run " + run));
            case "later" -> CompletableFuture.runAsync(() -> answer(response, "run " + run));
            case "large" -> answer(response, "x".repeat(Integer.parseInt(parts[2])) + run);
            case "status" -> {
                Metadata trailers = new Metadata();
                trailers.put(TEXT, "receipt " + run);
                trailers.put(BINARY, new byte[] {0, 1, (byte) 200, (byte) run});
                response.onError(Status.fromCodeValue(Integer.parseInt(parts[2]))
                        .withDescription("\u20ac in run " + run)
                        .asRuntimeException(trailers));
            }
            case "throw" -> throw new IllegalStateException("secret words of run " + run);
            case "throw-status" ->
                throw Status.NOT_FOUND.withDescription("no account, run " + run).asRuntimeException();
            case "not-executed" -> failFirst(run, response, new NotExecutedException("not yet"));
            case "busy" -> failFirst(run, response, new UnsupportedOperationException("busy"));
            case "unknown" -> response.onError(new OutcomeUnknownException("the processor did not answer", null));
            case "nested" ->
                response.onError(Status.FAILED_PRECONDITION
                        .withCause(new StoreException("the inner store is down", null))
                        .asRuntimeException());
            case "charge" -> {
                effect.accept(parts[0]);
                answer(response, "charged");
            }
            case "attempt" ->
                answer(
                        response,
                        "" + SemelServerInterceptor.attempt().orElseThrow().number());
            default -> answer(response, "run " + run);
        }
    }

    private static void failFirst(int run, StreamObserver<StringValue> response, RuntimeException failure) {
        if (run == 1) {
            response.onError(failure);
        } else {
            answer(response, "run " + run);
        }
    }

    private static void answer(StreamObserver<StringValue> response, String text) {
        response.onNext(StringValue.of(text));
        response.onCompleted();
    }
}
