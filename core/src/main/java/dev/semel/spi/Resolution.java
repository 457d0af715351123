package dev.semel.spi;

import dev.semel.Outcome;

/** What to make of a key that is lapsed or unknown. */
public sealed interface Resolution {

    /** It did end, like this. The outcome is kept for the retention that the key was claimed with. The token stays. */
    record Settle(Outcome outcome) implements Resolution {

        /** Refuses an outcome that could not be replayed: see {@link Outcome#requireReplayable}. */
        public Settle {
            outcome.requireReplayable();
        }
    }

    /** It was not executed: the key is free again, and nothing is left of it, its history included. {@link KeyStore#release} does this for an owner. */
    record Release() implements Resolution {}

    /**
     * Nobody can tell: a lapsed key becomes unknown, and one that is unknown already stays as it is. Its owner, should it still
     * live, may settle it all the same.
     */
    record Hold() implements Resolution {}
}
