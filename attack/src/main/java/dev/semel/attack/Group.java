package dev.semel.attack;

import java.util.Locale;

/** What an attack goes for. */
enum Group {
    /** Where one message ends and the next begins. */
    FRAMING,
    /** Whose request it is. */
    IDENTITY,
    /** Which rule is for it. */
    SPELLING,
    /** What others have left. */
    EXHAUSTION,
    /** Who decides. */
    ADMIN;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
