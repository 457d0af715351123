package dev.semel.spi;

import dev.semel.Outcome;

/** A decision about a lapsed or unknown key. */
public sealed interface Resolution {

    /** It ended with this outcome. The outcome is kept for the retention that the key was claimed with. The token
     * stays. */
    record Settle(Outcome outcome) implements Resolution {

        /** Refuses an outcome that could not be replayed: see {@link Outcome#requireReplayable}. */
        public Settle {
            outcome.requireReplayable();
        }
    }

    /** It was not executed: the key is free again, and nothing is left of it, including its history. {@link
     * KeyStore#release} does this for an owner. */
    record Release() implements Resolution {}

    /**
     * The outcome is unknown: a lapsed key becomes unknown, and an unknown key stays unknown. If its owner
     * is still alive, it may still settle the key.
     */
    record Hold() implements Resolution {}
}
