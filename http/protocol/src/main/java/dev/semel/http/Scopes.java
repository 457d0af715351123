package dev.semel.http;

import dev.semel.Key;
import java.util.HexFormat;

/** Makes any name of a caller one that a key can have. */
final class Scopes {

    private Scopes() {}

    /** The scope itself, or a digest of one that is too long or not printable, as names of certificates can be. */
    static String fit(String scope) {
        boolean fits = scope.codePointCount(0, scope.length()) <= Key.MAX_LENGTH
                && scope.codePoints()
                        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
        return fits
                ? scope
                : "sha256:"
                        + HexFormat.of()
                                .formatHex(LengthPrefixed.sha256().add(scope).bytes());
    }
}
