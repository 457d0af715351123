package dev.semel.http;

import dev.semel.Key;
import java.util.HexFormat;

/** Makes any name of a caller one that a key can have. */
public final class Scopes {

    private static final String DIGEST = "sha256:";

    /** What this library calls itself where there is no caller. */
    private static final String OWN = "semel:";

    private Scopes() {}

    /**
     * The scope itself, or a digest of one that is too long or not printable, as names of certificates can be. A caller who
     * is named like a digest, or like the application itself, does not get the keys of another.
     */
    public static String fit(String scope) {
        boolean fits = !scope.startsWith(DIGEST)
                && !scope.startsWith(OWN)
                && scope.codePointCount(0, scope.length()) <= Key.MAX_LENGTH
                && scope.codePoints()
                        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
        return fits
                ? scope
                : DIGEST
                        + HexFormat.of()
                                .formatHex(LengthPrefixed.sha256().add(scope).bytes());
    }
}
