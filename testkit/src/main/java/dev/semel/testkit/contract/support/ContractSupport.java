package dev.semel.testkit.contract.support;

import dev.semel.spi.KeyStore;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.Timeout;

/** The hooks of a contract, and the tools of its tests. */
@DisplayNameGeneration(GroupNames.class)
@Timeout(120)
public abstract class ContractSupport {

    private final Bench bench = new Bench(this);

    /**
     * Opens a store on the data under test, as another node would. All stores of one test see the same data. The
     * contract closes them; a store that lives in one process may return the same instance each time.
     */
    protected abstract KeyStore openStore();

    /** Removes every key, so that each test starts with an empty store. Called before any handle is opened. */
    protected abstract void clear();

    /**
     * Lets the store's clock move on. By default this really waits; override it for a store with a settable clock.
     */
    protected void advance(Duration duration) {
        Awaitility.await().pollDelay(duration).atMost(duration.plusSeconds(60)).until(() -> true);
    }

    /** The tools of the test groups. */
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
