package dev.semel.spring.test;

import java.util.Collection;

/** The verdict about a crash at one point, after the client has retried. */
public enum CrashVerdict {
    /** The client knows that it is done, and every effect happened once. */
    ONCE(true),
    /** The client knows that it is not done, and no effect happened. */
    NOT_DONE(true),
    /** The client knows that the outcome is unknown, and no effect happened twice. */
    UNKNOWN(true),
    /** An effect happened more than once. */
    TWICE(false),
    /** The client got a success, but an effect is missing. */
    LOST(false),
    /** The client got "not done", but an effect happened. */
    REFUSED_AFTER_EFFECT(false),
    /** The client got a success, and a retry got another response. */
    UNSTABLE(false),
    /** The client got no answer for as long as it was willing to retry. */
    UNANSWERED(false);

    private final boolean safe;

    CrashVerdict(boolean safe) {
        this.safe = safe;
    }

    /** Whether the client could rely on its answer. */
    public boolean isSafe() {
        return safe;
    }

    static CrashVerdict of(RetryAnswer answer, boolean stable, Collection<Long> effects) {
        if (effects.stream().anyMatch(count -> count > 1)) {
            return TWICE;
        }
        boolean any = effects.stream().anyMatch(count -> count > 0);
        boolean all = effects.stream().allMatch(count -> count > 0);
        return switch (answer) {
            case DONE -> !all ? LOST : stable ? ONCE : UNSTABLE;
            case REFUSED -> any ? REFUSED_AFTER_EFFECT : NOT_DONE;
            case UNKNOWN -> UNKNOWN;
            case AGAIN -> UNANSWERED;
        };
    }
}
