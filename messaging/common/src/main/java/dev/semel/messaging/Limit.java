package dev.semel.messaging;

import dev.semel.Attempt;

/** How often a message is tried. An owner that died counts, so that a message that kills its consumer ends, too. */
record Limit(int attempts) {

    boolean isReached(int tries) {
        return attempts > 0 && tries >= attempts;
    }

    void check(Attempt attempt) {
        if (attempts > 0 && attempt.number() > attempts) {
            throw new MessageRejectedException("given up: " + (attempt.number() - 1) + " attempts have died", null);
        }
    }
}
