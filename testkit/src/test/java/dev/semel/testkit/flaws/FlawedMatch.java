package dev.semel.testkit.flaws;

import dev.semel.Fingerprint;
import dev.semel.spi.KeyState;
import java.util.Arrays;

/** Compares fingerprints like a store that has forgotten a part of {@link Fingerprint#matches}. */
final class FlawedMatch {

    private FlawedMatch() {}

    static boolean matches(Flaw flaw, Fingerprint stored, Fingerprint asked) {
        boolean operation = same(stored, asked, 0, 4);
        boolean version = same(stored, asked, 4, 5);
        boolean rules = same(stored, asked, 5, 9);
        boolean digest = same(stored, asked, 9, Fingerprint.LENGTH);
        if (flaw == Flaw.COMPARES_FINGERPRINTS_OF_ALL_VERSIONS) {
            return stored.equals(asked);
        }
        if (flaw == Flaw.COMPARES_FINGERPRINTS_OF_ALL_RULES) {
            return operation && (!version || digest);
        }
        if (flaw == Flaw.COMPARES_NO_FINGERPRINTS_WITH_RULES) {
            return operation && (!version || digest || !same(stored, Fingerprint.of(), 5, 9));
        }
        if (flaw == Flaw.IGNORES_THE_OPERATION) {
            return !version || !rules || digest;
        }
        if (flaw == Flaw.IGNORES_THE_OPERATION_UNDER_OTHER_RULES) {
            return !version || !rules || (operation && digest);
        }
        return stored.matches(asked);
    }

    private static boolean same(Fingerprint stored, Fingerprint asked, int from, int to) {
        return Arrays.equals(stored.bytes(), from, to, asked.bytes(), from, to);
    }

    /** Whether the fingerprint of a key in this state is not compared at all. */
    static boolean isIgnored(Flaw flaw, KeyState state) {
        return switch (state) {
            case PENDING -> flaw == Flaw.IGNORES_THE_FINGERPRINT_OF_PENDING_KEYS;
            case LAPSED -> flaw == Flaw.IGNORES_THE_FINGERPRINT_OF_LAPSED_KEYS;
            case UNKNOWN -> flaw == Flaw.IGNORES_THE_FINGERPRINT_OF_UNKNOWN_KEYS;
            default -> flaw == Flaw.IGNORES_THE_FINGERPRINT_OF_SETTLED_KEYS;
        };
    }
}
