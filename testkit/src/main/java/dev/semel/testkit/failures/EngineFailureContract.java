package dev.semel.testkit.failures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.failures.EngineFailures.Cell;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Causes each failure that an operation can meet, in each place, mode and recovery, and compares the state of its key
 * and the answers to its callers with one table. An unknown combination fails.
 */
public abstract class EngineFailureContract {

    static final Duration LEASE = Duration.ofSeconds(2);

    /** Long enough that a busy machine does not look like a store that is down. */
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(10);

    /** Passes in every test of a step that cannot be recorded. */
    private static final Duration SETTLE_PATIENCE = Duration.ofSeconds(1);

    /** The store that keys are kept in; the test closes none. */
    protected abstract KeyStore store();

    /** Lets the store's clock move on, by two seconds in most of the tests. */
    protected abstract void advance(Duration duration);

    /** The transactions that the store can join, or {@code null} if it joins none. */
    protected @Nullable TransactionRunner<?> transactions() {
        return null;
    }

    @TestFactory
    Stream<DynamicTest> everyFailureEndsAsTheTableSays() {
        List<RunMode> modes = Arrays.stream(RunMode.values())
                .filter(mode -> mode.isTransactional() == (transactions() != null))
                .toList();
        return EngineFailures.load().cells(modes).stream()
                .map(cell -> DynamicTest.dynamicTest(cell.title(), () -> check(cell)));
    }

    private void check(Cell cell) throws Exception {
        FaultyStore faulty = FaultyStore.around(store());
        Semel.Builder builder = Semel.builder(faulty.store())
                .maintenanceInterval(Duration.ZERO)
                .patience(STORE_TIMEOUT, SETTLE_PATIENCE)
                .storeTimeout(STORE_TIMEOUT)
                .shutdownGrace(Duration.ZERO);
        for (RunMode mode : RunMode.values()) {
            builder.reconciler(mode.operation(), lapsed -> FailingRun.found());
        }
        try (Semel semel = builder.build()) {
            FailingRun run = new FailingRun(semel, store(), faulty, cell.mode(), this::advance, transactions());
            assertThat(run.endingOf(cell.failure(), cell.place()))
                    .as(cell.title())
                    .isEqualTo(cell.expected());
        }
    }
}
