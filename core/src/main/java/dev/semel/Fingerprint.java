package dev.semel;

import dev.semel.util.LengthPrefixedDigest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A digest of what a request asks for, so that a key that is sent again with another request can be told from a retry.
 *
 * <p>It also carries which operation was asked for, the version of the algorithm that made it, and the rules that this
 * algorithm followed, such as which fields it covers. Two operations never match: a key that two of them share is a
 * mismatch. Within one operation, fingerprints of different versions or rules cannot be compared and therefore never
 * count as a mismatch: while two releases run side by side, a true retry must not be refused.
 */
public final class Fingerprint {

    private static final int TAG_LENGTH = 4;
    private static final int VERSION_AT = TAG_LENGTH;
    private static final int RULES_AT = VERSION_AT + 1;
    private static final int DIGEST_AT = RULES_AT + TAG_LENGTH;
    private static final int DIGEST_LENGTH = 32;

    /** Length of {@link #bytes}: four bytes of the operation, one of the version, four of the rules, then the digest. */
    public static final int LENGTH = DIGEST_AT + DIGEST_LENGTH;

    private static final int MAX_VERSION = 255;

    /** The operations that fingerprints were last made for, because the same few come with every call. */
    private static final AtomicReferenceArray<OperationTag> TAGS = new AtomicReferenceArray<>(64);

    private record OperationTag(String identity, byte[] digest) {}

    private final byte[] bytes;

    private Fingerprint(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The fingerprint of the given parts, made by version {@code version} of the caller's own algorithm. */
    public static Fingerprint of(int version, byte[]... parts) {
        if (version < 0 || version > MAX_VERSION) {
            throw new IllegalArgumentException(
                    "fingerprint version must be between 0 and " + MAX_VERSION + ", got " + version);
        }
        byte[] bytes = new byte[LENGTH];
        bytes[VERSION_AT] = (byte) version;
        System.arraycopy(LengthPrefixedDigest.sha256Of(parts), 0, bytes, DIGEST_AT, DIGEST_LENGTH);
        return new Fingerprint(bytes);
    }

    /** The fingerprint, version 1, of a request in a canonical form, such as the bytes of its body. */
    public static Fingerprint of(byte[] request) {
        return of(1, request);
    }

    /** The fingerprint, version 1, of text in a canonical form. */
    public static Fingerprint of(String... parts) {
        return of(1, encoded(parts));
    }

    /** Reads what {@link #bytes} gave. */
    public static Fingerprint fromBytes(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a fingerprint has " + LENGTH + " bytes, got " + bytes.length);
        }
        return new Fingerprint(bytes.clone());
    }

    /**
     * The same fingerprint, made under these rules: whatever decides which parts of a request it covers, such as the
     * names of fields, in an order that only a change of the rules changes. When the rules of an operation change,
     * requests that were first sent under the former rules are still taken for retries.
     */
    public Fingerprint withRules(String... rules) {
        return withTag(RULES_AT, LengthPrefixedDigest.sha256Of(encoded(rules)));
    }

    /**
     * The same fingerprint for an operation, unless it is for one already. The engine does this with every call, by {@link
     * dev.semel.policy.Policy#identity}. A front end may do it first where something else says better than the operation's name
     * what two requests for the same have in common.
     */
    public Fingerprint forOperation(String identity) {
        if (hasOperation()) {
            return this;
        }
        int slot = identity.hashCode() & (TAGS.length() - 1);
        OperationTag tag = TAGS.get(slot);
        if (tag == null || !tag.identity.equals(identity)) {
            tag = new OperationTag(identity, LengthPrefixedDigest.sha256Of(encoded(identity)));
            TAGS.set(slot, tag);
        }
        return withTag(0, tag.digest);
    }

    /**
     * The same fingerprint under a secret key: whoever reads it in the store cannot find out by guessing what was asked for.
     * Fingerprints of different keys cannot be compared, like those of different rules, which are to be given first.
     */
    public Fingerprint withKey(byte[] secret) {
        byte[] keyed = bytes.clone();
        byte[] rules = LengthPrefixedDigest.hmacSha256(secret)
                .add("rules")
                .add(Arrays.copyOfRange(bytes, RULES_AT, DIGEST_AT))
                .bytes();
        byte[] digest = LengthPrefixedDigest.hmacSha256(secret)
                .add("digest")
                .add(Arrays.copyOfRange(bytes, DIGEST_AT, LENGTH))
                .bytes();
        System.arraycopy(rules, 0, keyed, RULES_AT, TAG_LENGTH);
        System.arraycopy(digest, 0, keyed, DIGEST_AT, DIGEST_LENGTH);
        return new Fingerprint(keyed);
    }

    private boolean hasOperation() {
        return bytes[0] != 0 || bytes[1] != 0 || bytes[2] != 0 || bytes[3] != 0;
    }

    private Fingerprint withTag(int at, byte[] digest) {
        byte[] tagged = bytes.clone();
        System.arraycopy(digest, 0, tagged, at, TAG_LENGTH);
        return new Fingerprint(tagged);
    }

    private static byte[][] encoded(String... parts) {
        byte[][] encoded = new byte[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            encoded[i] = parts[i].getBytes(StandardCharsets.UTF_8);
        }
        return encoded;
    }

    public int version() {
        return bytes[VERSION_AT] & 0xff;
    }

    /** The stored form: the operation, the version, the rules, then the digest. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * Whether a request with this fingerprint may be a retry of the one with the other: it is for the same operation, and
     * asks for the same as far as the two can be compared. Every store compares in this way.
     */
    public boolean matches(Fingerprint other) {
        return sameRange(other, 0, VERSION_AT)
                && (!sameRange(other, VERSION_AT, DIGEST_AT) || sameRange(other, DIGEST_AT, LENGTH));
    }

    private boolean sameRange(Fingerprint other, int from, int to) {
        return Arrays.equals(bytes, from, to, other.bytes, from, to);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Fingerprint that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
