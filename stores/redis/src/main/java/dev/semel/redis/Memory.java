package dev.semel.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process remembers of the store, so that it notices when the store is no longer the same, and can say what happened.
 */
final class Memory {

    private static final Logger log = LoggerFactory.getLogger(Memory.class);
    private static final String REMEDY = " Claims of its keys are refused, because what is forgotten could run again."
            + " Find out what was lost; when no operation of that time can still be retried, acknowledge the loss with"
            + " `semel keys acknowledge-loss` or RedisKeyStore.acknowledgeLoss().";

    /** A clock of a bucket, and the term of the master that told it. */
    record Sighting(double term, double clock) {

        static final Sighting NONE = new Sighting(0, 0);

        /** A sighting that was packed inside Redis. */
        static Sighting read(Object packed) {
            ByteBuffer in = ByteBuffer.wrap((byte[]) packed);
            return new Sighting(in.getDouble(), in.getDouble());
        }

        Sighting later(Sighting next) {
            return next.term == term && next.clock < clock ? this : next;
        }
    }

    /**
     * One epoch of the store: for each bucket the largest clock that this process was told. A server that does not know as much
     * has lost writes that it had acknowledged.
     *
     * @param number 0 if the store was not set up when this process came to it
     */
    record Epoch(long number, AtomicReferenceArray<Sighting> sightings) {

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

    private final String prefix;
    private volatile Epoch epoch;

    Memory(String prefix, long epoch) {
        this.prefix = prefix;
        this.epoch = start(epoch);
    }

    private static Epoch start(long number) {
        return new Epoch(number, new AtomicReferenceArray<>(Names.BUCKETS));
    }

    Epoch epoch() {
        return epoch;
    }

    synchronized void begin(long number) {
        epoch = start(number);
    }

    /** Whether the marker that a call found begins an epoch that an operator has asked for; then it counts from now on. */
    synchronized boolean follows(Reply reply) {
        List<?> refusal = (List<?>) reply.value();
        if (!text(refusal, 0).equals("changed")) {
            return false;
        }
        long found = (Long) refusal.get(1);
        if (found == epoch.number) {
            return true;
        }
        // A process that came before the set-up has no memory to compare with.
        if (found < epoch.number || !(text(refusal, 2).equals("o") || epoch.number == 0)) {
            return false;
        }
        epoch = start(found);
        log.warn("the store \"{}\" in Redis begins epoch {}: a loss of its memory was acknowledged", prefix, found);
        return true;
    }

    MemoryLostException loss(int bucket, Reply reply) {
        List<?> refusal = (List<?>) reply.value();
        String store = "the store \"" + prefix + "\" in Redis";
        long known = epoch.number;
        String what = switch (text(refusal, 0)) {
            case "missing" ->
                known == 0
                        ? " is not set up. If this Redis is new, set it up with setUpIfEmpty(true), or setUp=true in"
                                + " its URL. If it is not new, it has lost its memory."
                        : " has lost its marker of bucket " + bucket + " (epoch " + known
                                + "): Redis was flushed or restarted without its data, evicted keys, or made an"
                                + " empty replica its master.";
            case "lost" ->
                " has lost writes of bucket " + bucket + " that it had acknowledged (the last "
                        + (Long) refusal.get(1) / 1000
                        + " ms): Redis restarted without its latest data, or made a replica its master that did not"
                        + " have them.";
            default ->
                " has epoch " + refusal.get(1) + " in bucket " + bucket + " where this process knows epoch " + known
                        + ": Redis was replaced by an older copy of itself, or was emptied and set up again.";
        };
        return new MemoryLostException(store + what + REMEDY);
    }

    private static String text(List<?> refusal, int i) {
        return new String((byte[]) refusal.get(i), StandardCharsets.US_ASCII);
    }
}
