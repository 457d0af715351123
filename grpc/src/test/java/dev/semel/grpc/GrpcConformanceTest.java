package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.StringValue;
import com.google.rpc.RequestInfo;
import dev.semel.grpc.TestCalls.Result;
import dev.semel.grpc.TestCalls.Sent;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.testkit.http.SwitchableStore;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol, point by point, on gRPC, through a real socket. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcConformanceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MANY = 40;

    private GrpcServer server;
    private Channel channel;
    private String testCase = "";
    private String key = "";

    @BeforeAll
    void startServer() throws Exception {
        server = new GrpcServer(new SwitchableStore(InMemoryKeyStore.create()));
        channel = server.channel(builder -> builder);
    }

    @AfterAll
    void stopServer() throws Exception {
        server.close();
    }

    @BeforeEach
    void reset() {
        testCase = UUID.randomUUID().toString();
        key = UUID.randomUUID().toString();
    }

    @AfterEach
    void letGo() {
        server.store.down(false);
        server.store.settlesFail(false);
        server.service.end(testCase);
    }

    @Test
    void p1TakesAQuotedKeyAndIgnoresItsParameters() {
        Result first = send(GrpcServer.CHARGE, TestCalls.headers("\"" + key + "\""), "")
                .now();

        isReplay(
                send(GrpcServer.CHARGE, TestCalls.headers("\"" + key + "\";v=1"), "")
                        .now(),
                first);
    }

    @Test
    void p2TakesTheBareFormForTheSameKey() {
        Result first = keyed("").now();

        isReplay(
                send(GrpcServer.CHARGE, TestCalls.headers("\"" + key + "\""), "")
                        .now(),
                first);
        assertRuns(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"open", "two words", "a,b", "(a)"})
    void p3RefusesAMalformedKey(String value) {
        isProblem(
                send(GrpcServer.CHARGE, TestCalls.headers(value), "").now(),
                Code.INVALID_ARGUMENT,
                "KEY_INVALID",
                "not-applied",
                "new-key");
        assertRuns(0);
    }

    @Test
    void p3RefusesTwoKeysAndAKeyThatIsTooLong() {
        assertThat(send(GrpcServer.CHARGE, TestCalls.headers(key, key), "")
                        .now()
                        .status()
                        .getCode())
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(send(GrpcServer.CHARGE, TestCalls.headers("k".repeat(256)), "")
                        .now()
                        .status()
                        .getCode())
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertRuns(0);
    }

    @Test
    void p4LetsOtherMethodsPass() {
        send(GrpcServer.PLAIN, TestCalls.headers(key), "").now();

        assertThat(send(GrpcServer.PLAIN, TestCalls.headers(key), "").now().text())
                .isEqualTo("run 2");
    }

    @Test
    void p5RefusesACallWithoutKey() {
        isProblem(
                send(GrpcServer.CHARGE, TestCalls.headers(), "").now(),
                Code.INVALID_ARGUMENT,
                "KEY_MISSING",
                "not-applied",
                "new-key");
        assertRuns(0);
    }

    @Test
    void p5LetsACallWithoutKeyPassWhereNoneIsRequired() {
        send(GrpcServer.OPTIONAL, TestCalls.headers(), "").now();
        assertThat(send(GrpcServer.OPTIONAL, TestCalls.headers(), "").now().text())
                .isEqualTo("run 2");

        Result first = send(GrpcServer.OPTIONAL, TestCalls.headers(key), "").now();
        isReplay(send(GrpcServer.OPTIONAL, TestCalls.headers(key), "").now(), first);
    }

    @Test
    void p6TakesTheKeyFromAFieldOfTheMessage() {
        Result first = field(key, "").now();

        isReplay(field(key, "").now(), first);
        isProblem(field(key, "/later").now(), Code.INVALID_ARGUMENT, "KEY_REUSED", "unknown", "new-key");
        isProblem(field("", "").now(), Code.INVALID_ARGUMENT, "KEY_MISSING", "not-applied", "new-key");
        assertRuns(1);
    }

    @Test
    void p6TakesAFieldAsItIs() {
        String odd = "order \"7\" \\ " + key;
        Result first = field(odd, "").now();

        isReplay(field(odd, "").now(), first);
        assertThat(first.text()).isEqualTo("run 1");
    }

    @Test
    void p6TellsMethodsApart() {
        keyed("").now();

        isProblem(
                send(GrpcServer.OPTIONAL, TestCalls.headers(key), "").now(),
                Code.INVALID_ARGUMENT,
                "KEY_REUSED",
                "unknown",
                "new-key");
        assertRuns(1);
    }

    @Test
    void p7SaysThatAKeyWasReusedBeforeItSaysThatItIsInFlight() {
        Sent first = startSlow(GrpcServer.WAIT);

        isProblem(
                send(GrpcServer.WAIT, TestCalls.headers(key), "/other").now(),
                Code.INVALID_ARGUMENT,
                "KEY_REUSED",
                "unknown",
                "new-key");
        end(first);
        assertRuns(1);
    }

    @Test
    void p8TellsADuplicateThatTheOperationIsInFlight() {
        Sent first = startSlow(GrpcServer.CHARGE);

        Result duplicate = keyed("/slow").now();
        isProblem(duplicate, Code.ABORTED, "IN_FLIGHT", "pending", "same-key");
        assertThat(duplicate.retry().orElseThrow().getRetryDelay().getSeconds()).isPositive();
        Result answer = end(first);
        isReplay(keyed("/slow").now(), answer);
        assertRuns(1);
    }

    @Test
    void p8OneOfManyAtOnceRuns() {
        List<Sent> sent = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            sent.add(keyed(""));
        }

        List<Result> results = sent.stream().map(Sent::now).toList();
        assertThat(results).extracting(result -> result.status().getCode()).isSubsetOf(Code.OK, Code.ABORTED);
        assertThat(results)
                .filteredOn(result -> result.status().isOk() && !result.isReplay())
                .hasSize(1);
        assertRuns(1);
    }

    @Test
    void p8ManyWaitingDuplicatesDoNotKeepOthersFromBeingServed() {
        Sent first = startSlow(GrpcServer.WAIT);
        List<Sent> duplicates = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            duplicates.add(send(GrpcServer.WAIT, TestCalls.headers(key), "/slow"));
        }

        assertThat(send(GrpcServer.CHARGE, TestCalls.headers("other-" + key), "")
                        .now()
                        .status()
                        .isOk())
                .isTrue();
        assertThat(duplicates).noneMatch(duplicate -> duplicate.later().isDone());
        Result answer = end(first);
        duplicates.forEach(duplicate -> isReplay(duplicate.now(), answer));
        assertRuns(2);
    }

    @Test
    void p9ReplaysTheMessage() {
        Result first = keyed("").now();

        assertThat(first.isReplay()).isFalse();
        isReplay(keyed("").now(), first);
        assertThat(keyed("").now().message().toByteString())
                .isEqualTo(first.message().toByteString());
        assertRuns(1);
    }

    @Test
    void p9ReplaysStatusDescriptionAndTrailers() {
        Result first = keyed("/status/9").now();
        Result second = keyed("/status/9").now();

        assertThat(second.status().getDescription()).isEqualTo("\u20ac in run 1");
        assertThat(second.trailers().get(PaymentsService.TEXT)).isEqualTo("receipt 1");
        assertThat(second.trailers().get(PaymentsService.BINARY)).containsExactly(0, 1, 200, 1);
        isReplay(second, first);
    }

    @Test
    void p10SaysThatTheOutcomeIsUnknownAndDoesNotRunAgain() {
        keyed("/unknown").now();

        isProblem(keyed("/unknown").now(), Code.UNKNOWN, "OUTCOME_UNKNOWN", "unknown", "same-key");
        assertRuns(1);
    }

    @Test
    void p11RunsAgainAfterTheKeyHasExpired() {
        send(GrpcServer.BRIEF, TestCalls.headers(key), "").now();

        Awaitility.await()
                .atMost(PATIENCE)
                .until(
                        () -> send(GrpcServer.BRIEF, TestCalls.headers(key), "")
                                .now()
                                .text(),
                        "run 2"::equals);
    }

    @Test
    void p11SaysThatTheKeyHasExpiredWhereTombstonesAreKept() {
        send(GrpcServer.TOMBSTONE, TestCalls.headers(key), "").now();

        Result expired = Awaitility.await()
                .atMost(PATIENCE)
                .until(
                        () -> send(GrpcServer.TOMBSTONE, TestCalls.headers(key), "")
                                .now(),
                        result -> !result.status().isOk());
        isProblem(expired, Code.FAILED_PRECONDITION, "KEY_EXPIRED", "unknown", "never");
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"OK", "CANCELLED", "DEADLINE_EXCEEDED"},
            mode = EnumSource.Mode.EXCLUDE)
    void p12StoresEveryStatus(Code code) {
        Result first = keyed("/status/" + code.value()).now();

        assertThat(first.status().getCode()).isEqualTo(code);
        isReplay(keyed("/status/" + code.value()).now(), first);
        assertRuns(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/not-executed", "/busy"})
    void p12ReleasesTheKeyWhenTheServiceSaysThatItDidNothing(String what) {
        assertThat(keyed(what).now().status().isOk()).isFalse();

        Result second = keyed(what).now();
        assertThat(second.text()).isEqualTo("run 2");
        assertThat(second.isReplay()).isFalse();
        isReplay(keyed(what).now(), second);
    }

    @Test
    void p12ReleasesTheKeyAfterAStatusThatIsDeclaredAsRefused() {
        Supplier<Sent> call = () -> send(GrpcServer.REFUSED, TestCalls.headers(key), "/status/8");
        call.get().now();

        assertThat(call.get().now().isReplay()).isFalse();
        assertRuns(2);
    }

    @Test
    void p12AnExceptionIsAStoredErrorWithoutItsWords() {
        Result first = keyed("/throw").now();

        isProblem(first, Code.INTERNAL, "OPERATION_FAILED", "unknown", "never");
        assertThat(first.status().getDescription()).doesNotContain("secret");
        isReplay(keyed("/throw").now(), first);
        assertRuns(1);
    }

    @Test
    void p12AStatusThatIsThrownIsTheAnswer() {
        Result first = keyed("/throw-status").now();

        assertThat(first.status().getCode()).isEqualTo(Code.NOT_FOUND);
        isReplay(keyed("/throw-status").now(), first);
        assertRuns(1);
    }

    @Test
    void p12AFailureOfTheStoreIsNoOutcomeWhateverStatusItIsSentWith() {
        isProblem(keyed("/nested").now(), Code.UNAVAILABLE, "STORE_UNAVAILABLE", "unknown", "same-key");

        isProblem(keyed("/nested").now(), Code.UNKNOWN, "OUTCOME_UNKNOWN", "unknown", "same-key");
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"CANCELLED", "DEADLINE_EXCEEDED"})
    void p12ACallThatWasCutOffHasAnUnknownOutcome(Code code) {
        assertThat(keyed("/status/" + code.value()).now().status().getCode()).isEqualTo(code);

        isProblem(keyed("/status/" + code.value()).now(), Code.UNKNOWN, "OUTCOME_UNKNOWN", "unknown", "same-key");
        assertRuns(1);
    }

    @Test
    void p13SendsALargeMessageWholeAndDoesNotKeepIt() {
        String what = "/large/" + GrpcServer.MAX_PAYLOAD * 5;
        assertThat(keyed(what).now().text()).hasSize(GrpcServer.MAX_PAYLOAD * 5 + 1);

        Result second = keyed(what).now();
        isProblem(second, Code.FAILED_PRECONDITION, "RESPONSE_NOT_RETAINED", "applied", "never");
        assertThat(second.isReplay()).isTrue();
        assertRuns(1);
    }

    @Test
    void p14StoresTheOutcomeOfAClientThatHasLeft() {
        Sent first = startSlow(GrpcServer.CHARGE);
        first.call().cancel("the client leaves", null);
        first.now();
        server.service.end(testCase);

        Result retry = Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> keyed("/slow").now(), result -> result.status().isOk());
        assertThat(retry.isReplay()).isTrue();
        assertRuns(1);
    }

    @Test
    void p15ReplaysTheAnswerOfAnAsynchronousService() {
        Result first = keyed("/later").now();

        assertThat(first.text()).isEqualTo("run 1");
        isReplay(keyed("/later").now(), first);
    }

    @Test
    void p16AnErrorThatIsReplayedForbidsRetries() {
        keyed("/status/14").now();

        assertThat(keyed("/status/14")
                        .now()
                        .trailers()
                        .get(Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER)))
                .isEqualTo("-1");
    }

    @Test
    void p17RefusesWhileTheStoreIsDown() {
        server.store.down(true);
        Result refused = keyed("").now();
        isProblem(refused, Code.UNAVAILABLE, "STORE_UNAVAILABLE", "unknown", "same-key");
        assertThat(refused.retry()).isPresent();
        assertRuns(0);

        server.store.down(false);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> keyed("").now(), result -> result.status().isOk());
        assertRuns(1);
    }

    @Test
    void p17RunsUnprotectedWhereTheOperationChoseTo() {
        server.store.down(true);

        assertThat(send(GrpcServer.OPEN, TestCalls.headers(key), "").now().text())
                .isEqualTo("run 1");

        // Until the engine has noticed that the store is back, it refuses the calls of other tests too.
        server.store.down(false);
        key = UUID.randomUUID().toString();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> keyed("").now(), result -> result.status().isOk());
    }

    @Test
    void p17DoesNotRunAgainWhenTheOutcomeCouldNotBeStored() {
        server.store.settlesFail(true);
        Result first = keyed("").now();
        assertThat(first.text()).isEqualTo("run 1");
        isProblem(keyed("").now(), Code.ABORTED, "IN_FLIGHT", "pending", "same-key");

        server.store.settlesFail(false);
        isReplay(
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> keyed("").now(), result -> result.status().isOk()),
                first);
        assertRuns(1);
    }

    @Test
    void p18KeepsCallersApart() {
        Result alice = keyed("").now();
        Metadata bob = TestCalls.headers(key);
        bob.discardAll(TestCalls.CALLER);
        bob.put(TestCalls.CALLER, "bob.1");
        assertThat(send(GrpcServer.CHARGE, bob, "").now().text()).isEqualTo("run 2");

        Metadata refreshed = TestCalls.headers(key);
        refreshed.discardAll(TestCalls.CALLER);
        refreshed.put(TestCalls.CALLER, "alice.2");
        isReplay(send(GrpcServer.CHARGE, refreshed, "").now(), alice);
    }

    @Test
    void p18RefusesACallWithoutCaller() {
        Metadata nobody = TestCalls.headers(key);
        nobody.discardAll(TestCalls.CALLER);

        isProblem(
                send(GrpcServer.CHARGE, nobody, "").now(),
                Code.UNAUTHENTICATED,
                "CALLER_UNKNOWN",
                "not-applied",
                "same-key");
        assertRuns(0);
    }

    @Test
    void p19SaysUntilWhenAKeyIsKept() {
        Metadata.Key<String> expires = Metadata.Key.of("idempotency-expires", Metadata.ASCII_STRING_MARSHALLER);

        assertThat(keyed("").now().trailers().get(expires)).isNotNull();
        assertThat(keyed("").now().trailers().get(expires)).isNotNull();
    }

    @Test
    void aServiceKnowsItsAttempt() {
        assertThat(keyed("/attempt").now().text()).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource(names = {"CLIENT_STREAMING", "SERVER_STREAMING", "BIDI_STREAMING"})
    void aStreamingMethodIsRefusedAtStart(MethodType type) {
        MethodDescriptor<RequestInfo, StringValue> streaming = TestCalls.method("Watch", type);

        assertThatThrownBy(
                        () -> GrpcRules.of(streaming, Policy.external("watch").build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("test.Payments/Watch")
                .hasMessageContaining("only unary calls can be replayed");
        assertThatThrownBy(() -> SemelClientInterceptor.of(streaming)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aKeyFieldThatDoesNotExistIsRefusedAtStart() {
        assertThatThrownBy(() -> GrpcRules.builder(
                                GrpcServer.CHARGE, Policy.external("x").build())
                        .keyField("order_id"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no string field \"order_id\"");
    }

    @Test
    void aClientGivesEachCallAKeyOfItsOwn() {
        Channel keyed = ClientInterceptors.intercept(channel, SemelClientInterceptor.of(GrpcServer.CHARGE));
        RequestInfo request = TestCalls.request("", testCase);

        assertThat(TestCalls.send(keyed, GrpcServer.CHARGE, TestCalls.headers(), request)
                        .now()
                        .text())
                .isEqualTo("run 1");
        assertThat(TestCalls.send(keyed, GrpcServer.CHARGE, TestCalls.headers(), request)
                        .now()
                        .text())
                .isEqualTo("run 2");
        CallOptions options = CallOptions.DEFAULT.withOption(SemelClientInterceptor.OPERATION_KEY, key);
        TestCalls.send(keyed, GrpcServer.CHARGE, options, TestCalls.headers(), request)
                .now();
        assertThat(TestCalls.send(keyed, GrpcServer.CHARGE, options, TestCalls.headers(), request)
                        .now()
                        .text())
                .isEqualTo("run 3");
    }

    @Test
    void aClientSendsACallAgainWhileTheFirstOneRuns() {
        SemelClientInterceptor interceptor = SemelClientInterceptor.of(GrpcServer.CHARGE);
        Channel retrying = ClientInterceptors.intercept(
                server.channel(builder -> builder.enableRetry().defaultServiceConfig(interceptor.serviceConfig(5))),
                interceptor);
        Sent first = startSlow(GrpcServer.CHARGE);
        Sent second = TestCalls.send(
                retrying, GrpcServer.CHARGE, TestCalls.headers(key), TestCalls.request("", testCase + "/slow"));

        Awaitility.await().atMost(PATIENCE).until(() -> server.store.claims() > 1);
        Result answer = end(first);
        isReplay(second.now(), answer);
        assertRuns(1);
    }

    private Sent keyed(String what) {
        return send(GrpcServer.CHARGE, TestCalls.headers(key), what);
    }

    private Sent field(String id, String what) {
        return TestCalls.send(channel, GrpcServer.FIELD, TestCalls.headers(), TestCalls.request(id, testCase + what));
    }

    private Sent send(MethodDescriptor<RequestInfo, StringValue> method, Metadata headers, String what) {
        return TestCalls.send(channel, method, headers, TestCalls.request("", testCase + what));
    }

    private Sent startSlow(MethodDescriptor<RequestInfo, StringValue> method) {
        Sent first = send(method, TestCalls.headers(key), "/slow");
        Awaitility.await().atMost(PATIENCE).until(() -> server.service.runs(testCase) == 1);
        return first;
    }

    private Result end(Sent slow) {
        server.service.end(testCase);
        return slow.now();
    }

    private void assertRuns(int expected) {
        assertThat(server.service.runs(testCase)).as("runs of the service").isEqualTo(expected);
    }

    private static void isReplay(Result second, Result first) {
        assertThat(second.status().getCode())
                .as(second.text())
                .isEqualTo(first.status().getCode());
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.isReplay()).as("marked as a replay").isTrue();
    }

    private static void isProblem(Result result, Code code, String reason, String outcome, String retry) {
        assertThat(result.status().getCode()).as(result.text()).isEqualTo(code);
        assertThat(result.error()).hasValueSatisfying(info -> {
            assertThat(info.getReason()).isEqualTo(reason);
            assertThat(info.getDomain()).isEqualTo("semel");
            assertThat(info.getMetadataMap()).containsEntry("outcome", outcome).containsEntry("retry", retry);
        });
    }
}
