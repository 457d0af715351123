package dev.semel.engine.histories;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testkit.history.Circumstance;
import dev.semel.testkit.history.History.ClientAnswer;
import dev.semel.testkit.history.History.Event;
import dev.semel.testkit.history.Violation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random histories of the engine with nested operations, steps, operators, slow and full executors, failing renewals,
 * held rows, stalled claims and deploys: none breaks a guarantee, and with each flaw some do.
 */
class RandomHistoriesTest {

    private static final int SEEDS = 20;
    private static final int SEEDS_TOGETHER = 4;
    private static final int HISTORIES_TOGETHER = 64;

    private static final Map<EngineFlaw, CompletableFuture<List<RandomHistory.Result>>> RESULTS =
            new EnumMap<>(EngineFlaw.class);
    private static final ExecutorService THREADS = Executors.newFixedThreadPool(HISTORIES_TOGETHER);

    /** Histories mostly wait, so that many of them can happen at a time. */
    @BeforeAll
    static void startAllHistories() {
        for (EngineFlaw flaw : EngineFlaw.values()) {
            RESULTS.put(flaw, flaw == EngineFlaw.NONE ? histories(flaw, 0, SEEDS) : untilFound(flaw, 0));
        }
    }

    @AfterAll
    static void stop() {
        THREADS.shutdownNow();
    }

    private static CompletableFuture<List<RandomHistory.Result>> untilFound(EngineFlaw flaw, int seed) {
        int next = Math.min(SEEDS, seed + SEEDS_TOGETHER);
        return histories(flaw, seed, next)
                .thenCompose(results -> next == SEEDS || results.stream().anyMatch(result -> result.breaks(flaw.broken))
                        ? CompletableFuture.completedFuture(results)
                        : untilFound(flaw, next));
    }

    private static CompletableFuture<List<RandomHistory.Result>> histories(EngineFlaw flaw, int from, int to) {
        List<CompletableFuture<RandomHistory.Result>> histories = IntStream.range(from, to)
                .mapToObj(seed -> CompletableFuture.supplyAsync(() -> RandomHistory.run(seed, flaw), THREADS))
                .toList();
        return CompletableFuture.allOf(histories.toArray(CompletableFuture[]::new))
                .thenApply(
                        done -> histories.stream().map(CompletableFuture::join).toList());
    }

    private static List<RandomHistory.Result> results(EngineFlaw flaw) {
        return RESULTS.get(flaw).join();
    }

    @Test
    void noHistoryBreaksAGuarantee() {
        assertThat(results(EngineFlaw.NONE))
                .flatExtracting(RandomHistory.Result::violations)
                .isEmpty();
    }

    @Test
    void theHistoriesMeetWhatTheyAreAbout() {
        assertThat(results(EngineFlaw.NONE))
                .flatExtracting(result -> result.history().events())
                .extracting(Event::answer)
                .contains(
                        ClientAnswer.EXECUTED,
                        ClientAnswer.REPLAYED,
                        ClientAnswer.IN_FLIGHT,
                        ClientAnswer.MISMATCH,
                        ClientAnswer.UNKNOWN,
                        ClientAnswer.NOT_APPLIED);
        assertThat(results(EngineFlaw.NONE))
                .flatExtracting(result -> result.history().circumstances())
                .hasAtLeastOneElementOfType(Circumstance.Nested.class)
                .hasAtLeastOneElementOfType(Circumstance.Decided.class)
                .hasAtLeastOneElementOfType(Circumstance.Held.class)
                .hasAtLeastOneElementOfType(Circumstance.Deployed.class);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void someHistoryShowsEachFlaw(EngineFlaw flaw) {
        assertThat(results(flaw))
                .flatExtracting(RandomHistory.Result::violations)
                .extracting(Violation.class::cast)
                .extracting(Violation::guarantee)
                .contains(flaw.broken);
    }
}
