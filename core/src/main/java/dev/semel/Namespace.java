package dev.semel;

import dev.semel.util.Text;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A versioned key space such as {@code v2:payments}.
 *
 * <p>Two namespaces never share a key. Raise the version when a deployment changes the meaning of a request so much
 * that old keys must not match new requests.
 */
public record Namespace(int version, String name) {

    private static final int MAX_VERSION = 999_999;
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");
    private static final Pattern TEXT = Pattern.compile("v([1-9][0-9]{0,5}):(.*)", Pattern.DOTALL);

    /** The default namespace. It needs the patterns above. */
    public static final Namespace DEFAULT = new Namespace(1, "default");

    public Namespace {
        if (version < 1 || version > MAX_VERSION) {
            throw new IllegalArgumentException(
                    "namespace version must be between 1 and " + MAX_VERSION + ", got " + version);
        }
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("namespace name must match " + NAME + ", got " + Text.quote(name));
        }
    }

    /** Reads the form {@code v2:payments}. */
    public static Namespace parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "namespace must look like v1:payments (a version, a colon, a name), got " + Text.quote(text));
        }
        return new Namespace(Integer.parseInt(matcher.group(1)), matcher.group(2));
    }

    /** A key of this namespace. */
    public Key key(String scope, String value) {
        return new Key(this, scope, value);
    }

    @Override
    public String toString() {
        return "v" + version + ":" + name;
    }
}
