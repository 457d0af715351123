package dev.semel.testservers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a server to get ready. */
final class Waiting {

    private static final long POLL_NANOS = 50_000_000;

    private Waiting() {}

    /** Whether the condition came true in time. */
    static boolean until(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    static void require(String what, Duration limit, BooleanSupplier condition) {
        if (!until(limit, condition)) {
            throw new IllegalStateException(what + " took longer than " + limit.toSeconds() + " s");
        }
    }
}
