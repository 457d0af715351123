package dev.semel.spi;

import java.util.Map;

/** A store that sends calls in batches, and reports their size. Asking costs it nothing. */
public interface Batching {

    /** The counts of each kind of call, by its name, such as {@code claim}. */
    Map<String, Batches> batches();

    /** Counts of one kind of call, of this process and since its start. */
    final class Batches {

        private final long queued;
        private final long batches;
        private final long calls;
        private final long lockWaits;
        private final long deadlocks;

        private Batches(long queued, long batches, long calls, long lockWaits, long deadlocks) {
            this.queued = queued;
            this.batches = batches;
            this.calls = calls;
            this.lockWaits = lockWaits;
            this.deadlocks = deadlocks;
        }

        /** Batches of which none waited for a lock or ended a deadlock. */
        public static Batches of(long queued, long batches, long calls) {
            return new Batches(queued, batches, calls, 0, 0);
        }

        public Batches withLockWaits(long count) {
            return new Batches(queued, batches, calls, count, deadlocks);
        }

        public Batches withDeadlocks(long count) {
            return new Batches(queued, batches, calls, lockWaits, count);
        }

        /** How many calls wait to be sent, now. */
        public long queued() {
            return queued;
        }

        /** How many batches were sent. */
        public long batches() {
            return batches;
        }

        /** How many calls were in them. */
        public long calls() {
            return calls;
        }

        /** How many batches waited for a lock until the database gave up. */
        public long lockWaits() {
            return lockWaits;
        }

        /** How many batches were chosen to end a deadlock. */
        public long deadlocks() {
            return deadlocks;
        }
    }
}
