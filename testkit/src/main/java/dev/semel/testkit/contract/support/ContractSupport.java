package dev.semel.testkit.contract.support;

import dev.semel.spi.KeyStore;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.Timeout;

/** The hooks of a contract, and what its tests work with. */
@DisplayNameGeneration(GroupNames.class)
@Timeout(120)
public abstract class ContractSupport {

    private final Bench bench = new Bench(this);

    /**
     * Opens a handle onto the data under test: another node. Every handle of one test sees the same data. The contract
     * closes it; a store that lives in one process may return the same handle each time.
     */
    protected abstract KeyStore openStore();

    /** Removes every key, so that each test starts with an empty store. Called before any handle is opened. */
    protected abstract void clear();

    /**
     * Lets the store's clock move on. As it stands, this really waits; a store with a clock that a test can set
     * overrides it.
     */
    protected void advance(Duration duration) {
        Awaitility.await().pollDelay(duration).atMost(duration.plusSeconds(60)).until(() -> true);
    }

    /** What the groups of tests work with. */
    public final Bench bench() {
        return bench;
    }

    @BeforeEach
    final void startWithAnEmptyStore() {
        clear();
    }

    @AfterEach
    final void closeEveryNode() {
        bench.closeAll();
    }
}
