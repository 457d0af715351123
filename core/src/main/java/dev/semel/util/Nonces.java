package dev.semel.util;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Unique numbers that identify attempts. They are not secret.
 *
 * <p>A claim that finds its own nonce takes the key for its own, so no two may be equal, not even in two copies of a virtual
 * machine that was copied while it ran: both go on with the same memory. That is why a seed is used for a moment only, and
 * why every nonce contains the time. {@link UUID#randomUUID} makes all threads wait for one lock, and keeps bytes that it
 * has read ahead.
 */
public final class Nonces {

    private static final long SEED_NANOS = 50_000_000;

    private static volatile Seed seed = Seed.make(System.nanoTime());

    private Nonces() {}

    public static UUID next() {
        long now = System.nanoTime();
        Seed current = seed;
        if (current.isOld(now)) {
            current = Seed.make(now);
            seed = current;
        }
        return current.next(now);
    }

    /** The bits of a random UUID, and how many nonces were made of them. */
    record Seed(long high, long low, long madeAt, AtomicLong count) {

        static Seed make(long now) {
            UUID random = UUID.randomUUID();
            return new Seed(random.getMostSignificantBits(), random.getLeastSignificantBits(), now, new AtomicLong());
        }

        boolean isOld(long now) {
            return now - madeAt >= SEED_NANOS;
        }

        /** A new nonce, which differs in the count and in the time. */
        UUID next(long now) {
            return new UUID(high + count.getAndIncrement(), low + now);
        }
    }
}
