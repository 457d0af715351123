package dev.semel.spi;

import dev.semel.Outcome;

/** What to make of a key that is lapsed or unknown. */
public sealed interface Resolution {

    /** It did end, like this. The outcome is kept for the retention that the key was claimed with. */
    record Settle(Outcome outcome) implements Resolution {}

    /** It was not executed: the key is free again. */
    record Forget() implements Resolution {}

    /** Nobody can tell: a lapsed key becomes unknown. Its owner, should it still live, may settle it all the same. */
    record Hold() implements Resolution {}
}
