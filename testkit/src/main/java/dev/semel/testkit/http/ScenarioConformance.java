package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Incidents in production, from the first request to the answer that a retry gets. */
abstract class ScenarioConformance extends StoredConformance {

    private static final Duration LEASE_OF_THE_DEAD = Duration.ofSeconds(1);

    /** Not the version that requests have, of which these tests know nothing: it is never a mismatch. */
    private static final int OTHER_VERSION = 200;

    @Test
    void scenarioARetryAfterTheAnswerWasLostGetsTheStoredResponse() throws IOException {
        try (Abandoned ignored = client().abandon(Endpoint.CHARGE.path(), key)) {
            awaitRuns(1);
        }

        Received retry = awaitStatus(Endpoint.CHARGE, 201);
        assertThat(retry.isReplay()).isTrue();
        keyed(Endpoint.CHARGE).now().replays(retry);
        assertRuns(1);
    }

    @Test
    void scenarioTwoRetriesWhileTheFirstIsInFlightGetRetryAfter() {
        CompletableFuture<Received> first = startSlow(Endpoint.SLOW);
        List<CompletableFuture<Received>> retries =
                List.of(keyed(Endpoint.SLOW).later(), keyed(Endpoint.SLOW).later());

        retries.forEach(retry ->
                retry.join().isProblem(409, "in-flight", "pending", "same-key").hasRetryAfter());
        Received answer = end(first);
        keyed(Endpoint.SLOW).now().replays(answer);
        assertRuns(1);
    }

    @Test
    void scenarioAServerThatDiedAfterItsClaimIsReplacedWhereTheOperationAllowsIt() {
        claimLikeAServerThatDies(Endpoint.RE_EXECUTE);

        Received executed = Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> keyed(Endpoint.RE_EXECUTE).now(), received -> {
                    if (received.status() != 201) {
                        received.isProblem(409, "in-flight", "pending", "same-key");
                    }
                    return received.status() == 201;
                })
                .isNoReplay();
        keyed(Endpoint.RE_EXECUTE).now().replays(executed);
        assertRuns(1);
    }

    @Test
    void scenarioAServerThatDiedAfterItsClaimIsNotReplacedInSilence() {
        claimLikeAServerThatDies(Endpoint.CHARGE);

        Awaitility.await()
                .atMost(PATIENCE)
                .until(
                        () -> keyed(Endpoint.CHARGE).now(),
                        received -> received.hasStatus(409).text().contains("outcome-unknown"))
                .isProblem(409, "outcome-unknown", "unknown", "same-key");
        assertRuns(0);
    }

    @Test
    void scenarioTheSameKeyWithAnotherBodyIsRefusedInFlightAndAfterwards() {
        CompletableFuture<Received> first = startSlow(Endpoint.SLOW);
        keyed(Endpoint.SLOW).body("{\"amount\":2}").now().isProblem(422, "key-reused", "unknown", "new-key");

        end(first);
        keyed(Endpoint.SLOW).body("{\"amount\":2}").now().isProblem(422, "key-reused", "unknown", "new-key");
        assertRuns(1);
    }

    @Test
    void scenarioARetryOfAnOperationThatFailedGetsTheStoredError() {
        runsOnce(402, () -> keyed(Endpoint.STATUS, "?code=402"));
    }

    /** The message's id is the key: the consumer died after the work was done and before it said so. */
    @Test
    void scenarioAMessageThatIsDeliveredAgainDoesNoWorkAgain() throws IOException {
        key = "orders-0:17:" + key;
        try (Abandoned ignored = client().abandon(Endpoint.CHARGE.path(), key)) {
            awaitRuns(1);
        }

        assertThat(awaitStatus(Endpoint.CHARGE, 201).isReplay()).isTrue();
        assertRuns(1);
    }

    @Test
    void scenarioOfTwoConcurrentSubmissionsOneRunsAndOneKeyIsKept() {
        CompletableFuture<Received> one = keyed(Endpoint.CHARGE).later();
        CompletableFuture<Received> other = keyed(Endpoint.CHARGE).later();

        List<Received> received =
                Stream.of(one, other).map(CompletableFuture::join).toList();
        assertThat(received).extracting(Received::status).contains(201).isSubsetOf(201, 409);
        assertThat(received.stream()
                        .filter(answer -> answer.status() == 201)
                        .map(Received::text)
                        .distinct())
                .hasSize(1);
        assertThat(keysKept()).isEqualTo(1);
        assertRuns(1);
    }

    @Test
    void scenarioAKeyThatIsAlreadySettledIsAnsweredAndNotRun() {
        Lease lease = claimLikeAServerThatDies(Endpoint.CHARGE);
        Outcome outcome = Outcome.succeeded()
                .status(201)
                .contentType("application/json")
                .payload("{\"order\":\"as before\"}")
                .build();
        assertThat(store().settle(lease, outcome, Retention.of(Duration.ofHours(1)))
                        .toCompletableFuture()
                        .join())
                .isTrue();

        Received answer = keyed(Endpoint.CHARGE).now().hasStatus(201);
        assertThat(answer.text()).isEqualTo("{\"order\":\"as before\"}");
        assertThat(answer.isReplay()).isTrue();
        assertRuns(0);
    }

    /** Leaves the key as a server leaves it that is killed after it has claimed. */
    private Lease claimLikeAServerThatDies(Endpoint endpoint) {
        ClaimRequest request = ClaimRequest.builder(
                        Key.of("alice", key),
                        endpoint.policy().operation(),
                        Fingerprint.of(OTHER_VERSION, new byte[0]).forOperation("http"))
                .lease(LEASE_OF_THE_DEAD)
                .retention(endpoint.policy().retention())
                .build();
        Claim claim = store().claim(request).toCompletableFuture().join();
        assertThat(claim).isInstanceOf(Claim.Acquired.class);
        return ((Claim.Acquired) claim).lease();
    }

    private int keysKept() {
        Inspecting inspecting = KeyStore.capability(store(), Inspecting.class).orElseThrow();
        KeyQuery query = KeyQuery.builder(10).scope("alice").value(key).build();
        KeyPage page = inspecting.page(query).toCompletableFuture().join();
        int kept = page.records().size();
        while (page.next() != null) {
            page = inspecting
                    .page(query.after(page.next()))
                    .toCompletableFuture()
                    .join();
            kept += page.records().size();
        }
        return kept;
    }
}
