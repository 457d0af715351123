package dev.semel.http;

import dev.semel.Key;
import dev.semel.util.LengthPrefixedDigest;
import dev.semel.util.Text;
import java.util.HexFormat;
import java.util.List;

/** Turns any caller name into a valid scope. */
public final class Scopes {

    private static final String DIGEST = "sha256:";

    /** The beginning of the scopes that Semel itself uses. */
    private static final String OWN = "semel:";

    private Scopes() {}

    /**
     * The scopes that a caller's records may have: the normalised one, and the text as it stands, because people copy
     * it from a list of keys.
     */
    public static List<String> stored(String caller) {
        String fitted = fit(caller);
        return caller.startsWith(DIGEST) || fitted.equals(caller) ? List.of(caller) : List.of(fitted, caller);
    }

    /**
     * The scope for the keys of a caller: its name, or a digest if the name is too long or not printable, as names in
     * certificates can be. A caller who is named like a digest, or like the application itself, does not get the keys
     * of another.
     */
    public static String fit(String scope) {
        boolean fits = !scope.startsWith(DIGEST)
                && !scope.startsWith(OWN)
                && scope.codePointCount(0, scope.length()) <= Key.MAX_LENGTH
                && Text.isPrintable(scope);
        return fits
                ? scope
                : DIGEST
                        + HexFormat.of()
                                .formatHex(
                                        LengthPrefixedDigest.sha256().add(scope).bytes());
    }
}
