package dev.semel;

import dev.semel.util.LengthPrefixedDigest;
import dev.semel.util.ReadableKey;
import dev.semel.util.Text;
import java.util.UUID;

/**
 * The name that a caller gives to one logical operation.
 *
 * <p>The scope is the caller, as the application has authenticated it; it must never be a value that a client can
 * choose freely. The same value in two scopes names two independent operations.
 */
public final class Key {

    /** The maximum length of the scope and of the value, in characters (code points). */
    public static final int MAX_LENGTH = 255;

    private final Namespace namespace;
    private final String scope;
    private final String value;
    private final String identity;
    private final KeyDigest digest;

    public Key(Namespace namespace, String scope, String value) {
        this.namespace = namespace;
        this.scope = Text.requireName("scope", scope, MAX_LENGTH);
        this.value = Text.requireName("key", value, MAX_LENGTH);
        this.identity = ReadableKey.identity(value);
        this.digest = KeyDigest.of(this);
    }

    /** A key of the default namespace. */
    public static Key of(String scope, String value) {
        return new Key(Namespace.DEFAULT, scope, value);
    }

    /** A new random value. Create it once per logical operation and keep it for its retries. */
    public static String randomValue() {
        return UUID.randomUUID().toString();
    }

    /**
     * A value derived from the operation and the parameters that identify it, so that you need not store it: the same
     * operation and parameters give the same value in every process. The parameters must be in a canonical form.
     */
    public static String deterministicValue(String operation, String... canonicalParameters) {
        return ReadableKey.naturalDigest(operation, canonicalParameters);
    }

    /**
     * A value derived from the operation and its name in the domain, such as an order number, that people can read and
     * search for: {@code @charge:order-17}. It names the same key as {@link #deterministicValue} of both. It falls back
     * to that value if the readable form would be too long or not printable, or if the operation contains a colon or an
     * equals sign.
     */
    public static String naturalValue(String operation, String name) {
        return ReadableKey.natural(operation, name, MAX_LENGTH);
    }

    public Namespace namespace() {
        return namespace;
    }

    public String scope() {
        return scope;
    }

    public String value() {
        return value;
    }

    /**
     * The part that distinguishes this key from others of its scope: its value, or the digest that a readable value
     * represents.
     */
    String identity() {
        return identity;
    }

    /** The fixed-size name under which stores keep this key. */
    public KeyDigest digest() {
        return digest;
    }

    /**
     * A key value for a downstream call, always the same for the same key and label. It cannot collide with the child
     * of another key or label, whatever characters they contain.
     */
    public String childValue(String label) {
        Text.requireName("child key label", label, MAX_LENGTH);
        return LengthPrefixedDigest.hmacSha256(KeyDigest.full(this))
                .add("semel.child.v1")
                .add(label)
                .base64Url();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key that
                && namespace.equals(that.namespace)
                && scope.equals(that.scope)
                && identity.equals(that.identity);
    }

    @Override
    public int hashCode() {
        return digest.hashCode();
    }

    /** The digest only: neither the scope nor the value belongs in a log line. */
    @Override
    public String toString() {
        return namespace + "#" + digest;
    }
}
