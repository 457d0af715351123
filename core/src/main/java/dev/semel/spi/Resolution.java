package dev.semel.spi;

import dev.semel.Outcome;
import dev.semel.Retention;

/** What to make of a key that is lapsed or unknown. */
public sealed interface Resolution {

    /** It did end, like this. */
    record Settle(Outcome outcome, Retention retention) implements Resolution {}

    /** It was not executed: the key is free again. */
    record Forget() implements Resolution {}

    /** Nobody can tell: a lapsed key becomes unknown. Its owner, should it still live, may settle it all the same. */
    record Hold() implements Resolution {}
}
