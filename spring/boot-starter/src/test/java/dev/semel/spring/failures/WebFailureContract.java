package dev.semel.spring.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spring.FlakyStore;
import dev.semel.testkit.failures.FailureContract;
import dev.semel.testkit.failures.Meaning;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;

/** What can end a request to a controller, brought about through a socket. */
abstract class WebFailureContract extends FailureContract {

    /** One for all applications of these tests, so that a key is known after its application has been stopped. */
    static final KeyStore STORE = FlakyStore.around(InMemoryKeyStore.create());

    static final String[] PROPERTIES = {
        "server.port=0",
        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
        "semel.lease=2s",
        "semel.claim-patience=300ms",
        "semel.settle-patience=300ms",
        "semel.maintenance-interval=0s"
    };

    /** A new application. */
    abstract ConfigurableApplicationContext start();

    @Override
    protected Map<String, Scenario> scenarios() {
        Map<String, Scenario> all = new HashMap<>();
        for (String how : new String[] {
            "returns",
            "throws",
            "server-error",
            "not-executed",
            "outcome-unknown",
            "step-not-recorded",
            "wrapped",
            "store-down-at-settle",
            "denied-after"
        }) {
            all.put(how, () -> inApplication(key -> request("/matrix/" + how, key, "{}")));
        }
        all.put("rendered", () -> inApplication(key -> request("/matrix-rendered/wrapped", key, "{}")));
        all.put("refused-before", () -> inApplication(key -> request("/matrix/returns", key, "{broken")));
        all.put("denied-before", () -> inApplication(key -> request("/matrix/returns", key, "{}", "X-Refuse", "yes")));
        all.put(
                "store-down-at-claim",
                () -> inApplication(key -> {
                    FlakyStore.down = true;
                    return request("/matrix/returns", key, "{}");
                }));
        all.put(
                "engine-closed",
                () -> inApplication(key -> {
                    context.getBean(Semel.class).close();
                    HttpResponse<String> refused = request("/matrix/returns", key, "{}");
                    restart();
                    return refused;
                }));
        all.put(
                "mismatch",
                () -> inApplication(key -> {
                    HttpResponse<String> mine = request("/matrix/returns", key, "{}");
                    assertThat(request("/matrix/returns", key, "{\"other\":1}").statusCode())
                            .isEqualTo(422);
                    MatrixOperation.RUNS.decrementAndGet();
                    assertThat(request("/matrix/returns", key, "{}").body()).isEqualTo(mine.body());
                    return null;
                }));
        all.put("nested-in-flight", () -> nested(new CompletableFuture<>()));
        all.put(
                "nested-unknown",
                () -> nested(CompletableFuture.failedFuture(new OutcomeUnknownException("no answer", null))));
        all.put("nested-failed", () -> nested(CompletableFuture.failedFuture(new IllegalStateException("declined"))));
        all.put("disconnect", () -> leaving(() -> {}));
        all.put(
                "cancelled",
                () -> leaving(() -> {
                    CompletableFuture<Void> closing = new CompletableFuture<>();
                    context.addApplicationListener((ContextClosedEvent event) -> closing.complete(null));
                    CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
                    closing.join();
                    MatrixOperation.gate.complete("end");
                    closed.join();
                    restart();
                }));
        return all;
    }

    /** Sends the first request of a key; {@code null} if it has judged it itself: nothing ran. */
    interface First {

        HttpResponse<String> send(String key) throws Exception;
    }

    private static ConfigurableApplicationContext context;
    private static TestRequests requests;

    @AfterAll
    static void stop() {
        context.close();
    }

    private void restart() {
        context.close();
        context = start();
        requests = TestRequests.to(context);
    }

    HttpResponse<String> request(String path, String key, String body, String... headers) {
        return requests.post(path, key, body, headers);
    }

    Meaning inApplication(First first) throws Exception {
        if (context == null || !context.isActive()) {
            context = start();
            requests = TestRequests.to(context);
        }
        MatrixOperation.RUNS.set(0);
        MatrixOperation.gate = new CompletableFuture<>();
        String key = UUID.randomUUID().toString();
        try {
            HttpResponse<String> response = first.send(key);
            FlakyStore.down = false;
            FlakyStore.settlesFail = false;
            awaitStore();
            return response == null ? Meaning.NOTHING_RAN : judge(response);
        } finally {
            FlakyStore.down = false;
            FlakyStore.settlesFail = false;
            MatrixOperation.gate.complete("end");
        }
    }

    /** The engine refuses claims until it has noticed that the store is back. */
    private static void awaitStore() {
        await().until(() -> context.getBean(Semel.class).storeHealth().isUp());
    }

    /** What the first request meant to its key, by what the same request gets now. */
    private Meaning judge(HttpResponse<String> first) {
        int before = MatrixOperation.RUNS.get();
        HttpResponse<String> again =
                await().until(() -> retry(first), retry -> !retry.body().contains("in-flight"));
        if (isReplay(again)) {
            assertThat(again.statusCode()).isEqualTo(first.statusCode());
            assertThat(again.body()).isEqualTo(first.body());
            return Meaning.STORED;
        }
        if (again.body().contains("outcome-unknown")) {
            assertThat(MatrixOperation.RUNS).hasValue(before);
            return Meaning.CANNOT_TELL;
        }
        assertThat(MatrixOperation.RUNS).hasValue(before + 1);
        boolean refused = before == 0 && first.body().contains("store-unavailable");
        return refused ? Meaning.NOTHING_RAN : Meaning.RELEASED;
    }

    /** The same request without what it was refused for. */
    private HttpResponse<String> retry(HttpResponse<String> first) {
        return requests.post(
                first.uri().getPath(),
                first.request().headers().firstValue("Idempotency-Key").orElseThrow(),
                "{}");
    }

    private static boolean isReplay(HttpResponse<String> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    private Meaning nested(CompletableFuture<String> child) throws Exception {
        try {
            return inApplication(key -> {
                Semel semel = context.getBean(Semel.class);
                String childKey = Key.of("everybody", key).childValue("nested");
                semel.operation(MatrixOperation.NESTED, OutcomeCodec.text())
                        .runAsync(MatrixOperation.nestedKey(childKey), Fingerprint.of("nested"), attempt -> child);
                await().until(() -> semel.find(MatrixOperation.nestedKey(childKey))
                        .toCompletableFuture()
                        .join()
                        .filter(record -> !child.isDone() || record.state() != KeyState.PENDING)
                        .isPresent());
                return request("/matrix/nested", key, "{}");
            });
        } finally {
            // An engine that is closed waits for what it still runs.
            child.complete("done");
        }
    }

    /** Whether an operation goes on, and is stored, when its client has left and this has happened. */
    private Meaning leaving(Runnable happening) throws Exception {
        Meaning[] meaning = new Meaning[1];
        inApplication(key -> {
            CompletableFuture<HttpResponse<String>> first = requests.start("/matrix/slow", key, "{}");
            await().until(() -> MatrixOperation.RUNS.get() == 1);
            first.cancel(true);
            happening.run();
            MatrixOperation.gate.complete("end");
            HttpResponse<String> retry =
                    await().until(() -> request("/matrix/slow", key, "{}"), WebFailureContract::isReplay);
            assertThat(retry.body()).isEqualTo("end of run 1");
            assertThat(MatrixOperation.RUNS).hasValue(1);
            meaning[0] = Meaning.GOES_ON;
            return null;
        });
        return meaning[0];
    }
}
