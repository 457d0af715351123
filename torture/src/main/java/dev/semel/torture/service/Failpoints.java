package dev.semel.torture.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Named places at which a node can be made to die, or to stand still: it says that it is there. Then it waits to be killed, or is
 * suspended before it is answered, and goes on when it is resumed.
 */
public final class Failpoints {

    /** Longer than the conductor needs to kill a process. */
    private static final long STAND_STILL_SECONDS = 60;

    private final LedgerClient ledger;
    private final boolean passing;
    private final AtomicReference<@Nullable String> armed = new AtomicReference<>();
    private final AtomicReference<@Nullable String> stop = new AtomicReference<>();

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

    /** Lets the node be suspended when it comes to this point; no more after {@link #stopNowhere}. */
    public void stopAt(String point) {
        stop.set(point);
    }

    public void stopNowhere() {
        stop.set(null);
    }

    public void reach(String point) {
        stopIfAsked(point);
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

    private void stopIfAsked(String point) {
        String name = stop.get();
        if (point.equals(name) && stop.compareAndSet(name, null)) {
            try {
                ledger.stopsAt(point);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
