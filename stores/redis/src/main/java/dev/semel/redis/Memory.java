package dev.semel.redis;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What this process remembers of one epoch of the store: for each bucket the largest clock that it was told. A server
 * that does not know as much has lost writes that it had acknowledged.
 */
final class Memory {

    /** A clock of a bucket, and the term of the master that told it. */
    record Sighting(long term, long clock) {

        static final Sighting NONE = new Sighting(0, 0);

        /** A sighting that was packed inside Redis. */
        static Sighting read(ByteBuffer packed) {
            return new Sighting((long) packed.getDouble(), (long) packed.getDouble());
        }

        Sighting later(Sighting next) {
            return next.term == term && next.clock < clock ? this : next;
        }
    }

    private final long epoch;
    private final AtomicReferenceArray<Sighting> sightings = new AtomicReferenceArray<>(Names.BUCKETS);

    Memory(long epoch) {
        this.epoch = epoch;
    }

    /** The epoch, or 0 if the store was not set up when this process came to it. */
    long epoch() {
        return epoch;
    }

    Sighting seen(int bucket) {
        Sighting seen = sightings.get(bucket);
        return seen == null ? Sighting.NONE : seen;
    }

    void saw(int bucket, Sighting sighting) {
        if (sighting.term != 0) {
            sightings.accumulateAndGet(bucket, sighting, (old, next) -> old == null ? next : old.later(next));
        }
    }
}
