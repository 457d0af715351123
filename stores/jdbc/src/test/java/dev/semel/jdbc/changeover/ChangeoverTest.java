package dev.semel.jdbc.changeover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.jdbc.changeover.SharedService.Moment;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.TransactionJoining;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testservers.TestPostgres;
import dev.semel.util.CallerThread;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes with and without Semel share their keys, and some of them die. */
class ChangeoverTest {

    private static final String KEY = "order-1";

    private String url;
    private SharedService service;

    @BeforeEach
    void start() {
        String database = TestPostgres.newDatabase();
        url = TestPostgres.url(database);
        try (HikariDataSource server = TestPostgres.pool(database, 1)) {
            SharedService.createTables(server);
        }
        service = service(Recovery.HOLD);
    }

    private SharedService service(Recovery recovery) {
        return new SharedService(url, DyingNode.policy(recovery), moment -> {});
    }

    private void restart(Recovery recovery) {
        service.close();
        service = service(recovery);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void eachSideReplaysWhatTheOtherHasRun() throws Exception {
        assertThat(service.withSemel(KEY)).isInstanceOf(Execution.Executed.class);
        assertThat(service.withoutSemel(KEY)).isEqualTo("with Semel");

        assertThat(service.withoutSemel("order-2")).isEqualTo("without Semel");
        assertThat(replayed(service.withSemel("order-2"))).isEqualTo("without Semel");
        assertThat(replayed(service.withSemel("order-2"))).isEqualTo("without Semel");

        assertThat(service.effects(KEY)).isEqualTo(1);
        assertThat(service.effects("order-2")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "AFTER_CLAIM_HERE, true, 1",
        "AFTER_CLAIM_HERE, false, 1",
        "AFTER_CLAIM_THERE, true, 0",
        "AFTER_CLAIM_THERE, false, 0",
        "AFTER_EFFECT, true, 1",
        "AFTER_EFFECT, false, 1"
    })
    void aNodeThatDiesBeforeItsSettleCausesNoSecondEffect(Moment moment, boolean semelFirst, int effects)
            throws Exception {
        kill(moment, Recovery.HOLD);

        for (boolean semel : new boolean[] {semelFirst, !semelFirst}) {
            if (semel) {
                assertThat(service.withSemel(KEY)).isInstanceOf(Execution.InFlight.class);
            } else {
                assertThat(service.withoutSemel(KEY))
                        .isEqualTo(moment == Moment.AFTER_CLAIM_HERE ? "without Semel" : SharedService.LOCKED);
            }
        }

        assertThat(service.effects(KEY)).isEqualTo(effects);
    }

    @ParameterizedTest
    @CsvSource({"AFTER_SETTLE", "AFTER_WRITE_BACK"})
    void bothSidesReplayWhatANodeHasSettledThatDied(Moment moment) throws Exception {
        kill(moment, Recovery.HOLD);

        assertThat(service.withoutSemel(KEY))
                .isEqualTo(moment == Moment.AFTER_SETTLE ? SharedService.LOCKED : "with Semel");
        assertThat(replayed(service.withSemel(KEY))).isEqualTo("with Semel");

        await().until(() -> service.withoutSemel(KEY).equals("with Semel"));
        assertThat(service.effects(KEY)).isEqualTo(1);
    }

    @Test
    void anAttemptThatTakesOverFindsWhatTheOtherSideHasRunMeanwhile() throws Exception {
        restart(Recovery.RE_EXECUTE);
        kill(Moment.AFTER_CLAIM_HERE, Recovery.RE_EXECUTE);
        assertThat(service.withoutSemel(KEY)).isEqualTo("without Semel");

        await().until(() -> service.withSemel(KEY) instanceof Execution.Replayed);
        assertThat(replayed(service.withSemel(KEY))).isEqualTo("without Semel");

        assertThat(service.effects(KEY)).isEqualTo(1);
    }

    @Test
    void anAttemptThatTakesOverHasTheRowOfTheOneBefore() throws Exception {
        restart(Recovery.RE_EXECUTE);
        kill(Moment.AFTER_CLAIM_THERE, Recovery.RE_EXECUTE);
        assertThat(service.withoutSemel(KEY)).isEqualTo(SharedService.LOCKED);

        await().until(() -> !(service.withSemel(KEY) instanceof Execution.InFlight));

        assertThat(service.withoutSemel(KEY)).isEqualTo("with Semel");
        assertThat(service.effects(KEY)).isEqualTo(1);
    }

    @Test
    void aNodeWithoutSemelThatDiesKeepsItsKey() throws Exception {
        service.insert(KEY);
        assertThat(service.withSemel(KEY)).isInstanceOf(Execution.InFlight.class);
        service.charge(KEY);
        assertThat(service.withSemel(KEY)).isInstanceOf(Execution.InFlight.class);

        assertThat(service.effects(KEY)).isEqualTo(1);
    }

    @Test
    void whateverSideIsFirstRunsAlone() throws Exception {
        int keys = 60;
        int callers = 6;
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            for (int i = 0; i < keys; i++) {
                String key = "race-" + i;
                CyclicBarrier start = new CyclicBarrier(callers);
                List<Future<Object>> answers = new ArrayList<>();
                for (int caller = 0; caller < callers; caller++) {
                    boolean semel = caller % 2 == 0;
                    Callable<Object> request = () -> {
                        start.await();
                        return semel ? service.withSemel(key) : service.withoutSemel(key);
                    };
                    answers.add(threads.submit(request));
                }
                for (Future<Object> answer : answers) {
                    answer.get();
                }
                assertThat(service.effects(key)).as(key).isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aKeyThatWasNotExecutedIsFreeOnBothSides() throws Exception {
        Lease lease = claim();
        assertThat(service.withoutSemel(KEY)).isEqualTo(SharedService.LOCKED);

        assertThat(CallerThread.await(service.store().release(lease))).isTrue();

        assertThat(service.withoutSemel(KEY)).isEqualTo("without Semel");
        assertThat(service.effects(KEY)).isEqualTo(1);
    }

    @Test
    void anAttemptThatHasLostItsKeyDoesNotFreeItInTheTable() throws Exception {
        restart(Recovery.RE_EXECUTE);
        Lease lost = claim();
        ClaimRequest next = request().takeOver(true).build();
        await().until(() -> CallerThread.await(service.store().claim(next)) instanceof Claim.Acquired);

        assertThat(CallerThread.await(service.store().release(lost))).isFalse();

        assertThat(service.withoutSemel(KEY)).isEqualTo(SharedService.LOCKED);
    }

    @Test
    void nothingRunsWhileTheTableDoesNotAnswer() throws Exception {
        try (HikariDataSource server = TestPostgres.pool(url, "postgres", 1)) {
            TestPostgres.execute(server, "ALTER TABLE requests RENAME TO gone");
            assertThatThrownBy(() -> service.withSemel(KEY)).isInstanceOf(StoreUnavailableException.class);
            TestPostgres.execute(server, "ALTER TABLE gone RENAME TO requests");
        }
        assertThat(service.effects(KEY)).isZero();

        // The claim that got no answer is taken back in the background.
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(() -> service.withSemel(KEY) instanceof Execution.Executed);
        assertThat(service.effects(KEY)).isEqualTo(1);
    }

    private static ClaimRequest.Builder request() {
        return ClaimRequest.builder(
                        Key.of("alice", KEY), "charge", Fingerprint.of(KEY).forOperation("charge"))
                .lease(Policy.MIN_LEASE);
    }

    private Lease claim() {
        Claim claim = CallerThread.await(service.store().claim(request().build()));
        assertThat(claim).isInstanceOf(Claim.Acquired.class);
        return ((Claim.Acquired) claim).lease();
    }

    @Test
    void itDoesWhatTheStoreBelowDoesButJoinsNoTransactions() {
        for (Class<?> kept : List.of(Inspecting.class, Importing.class, Purging.class)) {
            assertThat(KeyStore.capability(service.store(), kept)).isPresent();
        }
        assertThat(KeyStore.capability(service.store(), TransactionJoining.class))
                .isEmpty();
        assertThat(KeyStore.capability(service.store(), TransactionJoining.Shared.class))
                .isEmpty();
    }

    private static String replayed(Execution<Outcome> execution) {
        assertThat(execution).isInstanceOf(Execution.Replayed.class);
        return new String(execution.get().requirePayload(), StandardCharsets.UTF_8);
    }

    private void kill(Moment moment, Recovery recovery) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DyingNode.class.getName(),
                        url,
                        KEY,
                        moment.name(),
                        recovery.name())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor()).isEqualTo(9);
        } finally {
            process.destroyForcibly();
        }
    }
}
