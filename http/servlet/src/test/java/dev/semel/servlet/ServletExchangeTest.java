package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.http.Exchange;
import dev.semel.http.HandlerEntry;
import dev.semel.http.HandlerResponse;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.Reply;
import dev.semel.http.RequestClaim;
import dev.semel.http.RequestHead;
import dev.semel.http.spool.Spool;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A container that ends a request at the moment that the test chooses. */
class ServletExchangeTest {

    private static final HttpRules RULES =
            HttpRules.of(Policy.external("charge").build());

    private final Semel semel = Semel.builder(InMemoryKeyStore.create()).build();
    private final HttpGate gate = HttpGate.builder(semel).build();
    private final Spool body = Spool.of(100);
    private final List<AsyncListener> listeners = new ArrayList<>();
    private final AsyncContext async = stub(AsyncContext.class, this::async);
    private final HttpServletRequest request = stub(HttpServletRequest.class, this::request);
    private final HttpServletResponse response = stub(HttpServletResponse.class, this::response);
    private @Nullable AsyncContext held;
    private DispatcherType dispatch = DispatcherType.REQUEST;
    private @Nullable Object given;
    private boolean started;
    private boolean over;

    @AfterEach
    void close() {
        semel.close();
    }

    private interface Stub {
        @Nullable
        Object answer(String method, Object[] arguments);
    }

    /** Does what it is told, and otherwise nothing. */
    private static <T> T stub(Class<T> type, Stub stub) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object answer = stub.answer(method.getName(), arguments == null ? new Object[0] : arguments);
                    if (answer != null || !method.getReturnType().isPrimitive()) {
                        return answer;
                    }
                    Class<?> result = method.getReturnType();
                    return result == boolean.class ? (Object) false : result == int.class ? (Object) 0 : null;
                }));
    }

    private @Nullable Object async(String method, Object[] arguments) {
        if (method.equals("addListener")) {
            listeners.add((AsyncListener) arguments[0]);
        }
        if (method.equals("dispatch") && over) {
            throw new IllegalStateException("the request is over");
        }
        return method.equals("getTimeout") ? (Object) 0L : null;
    }

    private @Nullable Object request(String method, Object[] arguments) {
        return switch (method) {
            case "isAsyncSupported" -> true;
            case "isAsyncStarted" -> started;
            case "getDispatcherType" -> dispatch;
            case "startAsync" -> {
                started = true;
                yield async;
            }
            case "getAsyncContext" -> async;
            case "setAttribute" -> {
                given = arguments[0].equals(ServletExchange.ATTEMPT) ? arguments[1] : given;
                yield null;
            }
            default -> null;
        };
    }

    private @Nullable Object response(String method, Object[] arguments) {
        return switch (method) {
            case "getStatus" -> 200;
            case "getHeaderNames" -> List.of();
            case "getOutputStream" -> new NoOutput();
            default -> null;
        };
    }

    /** What a client would get. */
    private static final class NoOutput extends ServletOutputStream {

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(int each) {}
    }

    private Exchange admitted() {
        return (Exchange) gate.admit(head(), RULES);
    }

    private static RequestHead head() {
        return RequestHead.of(
                "POST", "/charges", null, name -> name.equals("Idempotency-Key") ? List.of("k") : List.of());
    }

    private ServletExchange begin(ErrorRendering errors, FilterChain handler) throws IOException, ServletException {
        ServletExchange exchange =
                exchange((RequestClaim.Owned) admitted().claim("alice", body), RULES.policy(), errors);
        exchange.begin(request, response, handler);
        return exchange;
    }

    private ServletExchange exchange(RequestClaim.Owned owned, Policy policy, ErrorRendering errors) {
        return new ServletExchange(
                new HandlerRun(owned, HandlerEntry.unreported()),
                new CapturedHandler(
                        new FailureAttributes(List.of()), body, true, Capture.streaming(HttpRules.of(policy))),
                policy,
                errors);
    }

    /** A handler that is still at work when the first dispatch is over. */
    private ServletExchange beginAsynchronous(ErrorRendering errors) throws IOException, ServletException {
        return begin(errors, (handled, made) -> held = handled.startAsync());
    }

    private void assertBodyIsClosed() {
        Awaitility.await().untilAsserted(() -> assertThatThrownBy(body::open).hasMessage("this spool is closed"));
    }

    @Test
    void removesItsFilesWhenTheContainerRefusesTheLastDispatch() throws Exception {
        beginAsynchronous(ErrorRendering.PROBLEM);

        over = true;
        held.complete();

        assertBodyIsClosed();
    }

    @Test
    void removesItsFilesWhenTheContainerEndsTheRequestInsteadOfTheLastDispatch() throws Exception {
        beginAsynchronous(ErrorRendering.PROBLEM);

        held.complete();
        for (AsyncListener listener : listeners) {
            listener.onComplete(new AsyncEvent(async));
        }

        assertBodyIsClosed();
    }

    @Test
    void removesItsFilesWhenAnErrorPageFails() throws Exception {
        ServletExchange exchange =
                begin(ErrorRendering.CONTAINER, (handled, made) -> ((HttpServletResponse) made).sendError(422));
        dispatch = DispatcherType.ASYNC;
        exchange.resume(request, response, (handled, made) -> {});
        dispatch = DispatcherType.ERROR;

        assertThatThrownBy(() -> exchange.resume(request, response, (handled, made) -> {
                    throw new AssertionError("the page is broken");
                }))
                .hasMessage("the page is broken");

        assertBodyIsClosed();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void p14SettlesTheErrorThatAHandlerSendsAfterItsClientLeft(boolean told) throws Exception {
        beginAsynchronous(ErrorRendering.CONTAINER);

        over = true;
        if (told) {
            for (AsyncListener listener : listeners) {
                listener.onError(new AsyncEvent(async, new IOException("the client left")));
            }
        }
        ((HttpServletResponse) held.getResponse()).sendError(422);
        held.complete();

        Awaitility.await().untilAsserted(() -> assertThat(again()).contains("about:blank", "\"status\":422"));
        assertBodyIsClosed();
    }

    /** The answer to the claim takes longer than its lease, so that the engine asks the store before it starts anything. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(60)
    void theHandlerRunsOnlyUnderALeaseThatTheStoreConfirms(boolean takenOver) throws Exception {
        InMemoryKeyStore store = InMemoryKeyStore.create();
        KeyStore late = stub(KeyStore.class, (method, arguments) -> {
            if (method.equals("claim")) {
                return store.claim((ClaimRequest) arguments[0])
                        .thenCompose(claim -> CompletableFuture.supplyAsync(
                                () -> claim, CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)));
            }
            return method.equals("renew") && takenOver
                    ? CompletableFuture.completedFuture(Set.of())
                    : on(store, method, arguments);
        });
        List<Object> attempts = new ArrayList<>();
        HttpRules brief = HttpRules.of(
                Policy.external("charge").lease(Duration.ofMillis(200)).build());
        try (Semel slow = Semel.builder(late).build()) {
            Exchange admitted = (Exchange) HttpGate.builder(slow).build().admit(head(), brief);
            if (admitted.claim("alice", body) instanceof RequestClaim.Owned owned) {
                exchange(owned, brief.policy(), ErrorRendering.PROBLEM)
                        .begin(request, response, (handled, made) -> attempts.add(given));
            }
        }

        assertThat(attempts).hasSize(takenOver ? 0 : 1).doesNotContainNull();
    }

    private static Object on(KeyStore store, String method, Object[] arguments) {
        return switch (method) {
            case "renew" -> store.renew(cast(arguments[0]));
            case "settle" -> store.settle((Lease) arguments[0], (Outcome) arguments[1], (Retention) arguments[2]);
            case "release" -> store.release((Lease) arguments[0]);
            case "abandon" -> store.abandon((Lease) arguments[0]);
            default -> throw new UnsupportedOperationException(method);
        };
    }

    @SuppressWarnings("unchecked")
    private static Collection<Renewal> cast(Object renewals) {
        return (Collection<Renewal>) renewals;
    }

    /** The answer to a retry. */
    private String again() throws IOException {
        try (Spool empty = Spool.of(100)) {
            Reply reply = admitted()
                    .run(
                            "alice",
                            empty,
                            Runnable::run,
                            attempt -> CompletableFuture.completedFuture(HandlerResponse.of(200, List.of(), null)))
                    .toCompletableFuture()
                    .join();
            return new String(((Reply.Instead) reply).answer().body(), StandardCharsets.UTF_8);
        }
    }
}
