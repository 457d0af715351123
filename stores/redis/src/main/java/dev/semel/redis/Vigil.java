package dev.semel.redis;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches that the store is still the one that this process knows, and says what happened if it is not. */
final class Vigil {

    private static final Logger log = LoggerFactory.getLogger(Vigil.class);
    private static final String REMEDY = " Claims of its keys are refused, because what is forgotten could run again."
            + " Find out what was lost; when no operation of that time can still be retried, acknowledge the loss with"
            + " `semel keys acknowledge-loss` or RedisKeyStore.acknowledgeLoss().";

    private final String prefix;
    private volatile Memory memory;

    Vigil(String prefix, long epoch) {
        this.prefix = prefix;
        this.memory = new Memory(epoch);
    }

    Memory memory() {
        return memory;
    }

    static boolean isRefusal(Reply reply) {
        if (reply.isNumber()) {
            return false;
        }
        String status = reply.text(0);
        return status.equals("missing") || status.equals("lost") || status.equals("changed");
    }

    /** Whether the marker that a claim found begins an epoch that an operator has asked for; then it counts from now. */
    boolean follows(Reply refusal) {
        if (!refusal.text(0).equals("changed")) {
            return false;
        }
        long found = refusal.number(1);
        boolean acknowledged = refusal.text(2).equals("o");
        synchronized (this) {
            if (found == memory.epoch()) {
                return true;
            }
            // A process that came before the set-up has no memory to compare with.
            if (found < memory.epoch() || !(acknowledged || memory.epoch() == 0)) {
                return false;
            }
            memory = new Memory(found);
        }
        log.warn("the store \"{}\" in Redis begins epoch {}: a loss of its memory was acknowledged", prefix, found);
        return true;
    }

    void begin(long epoch) {
        synchronized (this) {
            memory = new Memory(epoch);
        }
    }

    MemoryLostException loss(int bucket, Reply refusal) {
        String store = "the store \"" + prefix + "\" in Redis";
        if (refusal.text(0).equals("missing")) {
            return new MemoryLostException(
                    memory.epoch() == 0
                            ? store + " is not set up. If this Redis is new, set it up with setUpIfEmpty(true), or"
                                    + " setUp=true in its URL. If it is not new, it has lost its memory." + REMEDY
                            : store + " has lost its marker of bucket " + bucket + " (epoch " + memory.epoch()
                                    + "): Redis was flushed or restarted without its data, evicted keys, or made an"
                                    + " empty replica its master." + REMEDY);
        }
        if (refusal.text(0).equals("lost")) {
            return new MemoryLostException(store + " has lost writes of bucket " + bucket + " that it had acknowledged"
                    + " (the last " + Micros.duration(refusal.number(1)).toMillis() + " ms): Redis restarted without"
                    + " its latest data, or made a replica its master that did not have them." + REMEDY);
        }
        return new MemoryLostException(store + " has epoch " + refusal.number(1) + " in bucket " + bucket
                + " where this process knows epoch " + memory.epoch() + ": Redis was replaced by an older copy of"
                + " itself, or was emptied and set up again." + REMEDY);
    }
}
