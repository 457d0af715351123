package dev.semel.testkit;

import dev.semel.Key;
import java.util.List;

/**
 * A broken guarantee.
 *
 * @param what what went wrong, in a sentence
 * @param story the events that show it, and no others
 */
public record Violation(Guarantee guarantee, Key key, String what, List<String> story) {

    @Override
    public String toString() {
        return guarantee + " " + guarantee.meaning() + "\n  key " + key.scope() + "/" + key.value() + ": " + what
                + "\n    " + String.join("\n    ", story);
    }
}
