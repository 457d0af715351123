package dev.semel.engine;

import dev.semel.lease.RunningAttempt;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which attempt a failure has ended. A nested operation passes its failure to the operation around it as the
 * same object, but its meaning may differ there: the nested operation may not have executed, but the one around it may
 * have had effects before.
 */
final class NestedFailures {

    private static final Map<Identity, Long> ENDED = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Throwable> COLLECTED = new ReferenceQueue<>();

    private NestedFailures() {}

    /** Records that the failure ends this attempt, and returns whether it has ended one that started later, inside
     * this one. */
    static boolean cameFromNested(Throwable failure, RunningAttempt attempt) {
        for (Object gone = COLLECTED.poll(); gone != null; gone = COLLECTED.poll()) {
            ENDED.remove(gone);
        }
        Long began = ENDED.putIfAbsent(new Identity(failure), attempt.startedAt());
        return began != null && began - attempt.startedAt() > 0;
    }

    private static final class Identity extends WeakReference<Throwable> {

        private final int hash;

        private Identity(Throwable failure) {
            super(failure, COLLECTED);
            this.hash = System.identityHashCode(failure);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Throwable failure = get();
            return failure != null && other instanceof Identity that && failure == that.get();
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
