package dev.semel.torture.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Named places at which a node can be made to die: it says that it is there, and stands still until it is killed. */
public final class Failpoints {

    /** Longer than the conductor needs to kill a process. */
    private static final long STAND_STILL_SECONDS = 60;

    private final LedgerClient ledger;
    private final boolean passing;
    private final AtomicReference<@Nullable String> armed = new AtomicReference<>();

    public Failpoints(LedgerClient ledger) {
        this(ledger, false);
    }

    private Failpoints(LedgerClient ledger, boolean passing) {
        this.ledger = ledger;
        this.passing = passing;
    }

    /** Points of a process that goes on when it has said that it is there, because another one dies. */
    public static Failpoints passing(LedgerClient ledger) {
        return new Failpoints(ledger, true);
    }

    public void arm(String point) {
        armed.set(point);
    }

    public void reach(String point) {
        String name = armed.get();
        if (!point.equals(name) || !armed.compareAndSet(name, null)) {
            return;
        }
        try {
            ledger.reached(point);
            if (passing) {
                return;
            }
            new CountDownLatch(1).await(STAND_STILL_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
