package dev.semel;

import dev.semel.util.LengthPrefixedDigest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A digest of what a request asks for, to distinguish a retry from another request under the same key.
 *
 * <p>It also contains the operation, the version of the algorithm that made it, and the rules that this algorithm
 * followed, such as which fields it covers. Two operations never match: a key that two of them share is a mismatch.
 * Within one operation, fingerprints of different versions or rules cannot be compared and therefore never count as a
 * mismatch: while two releases run side by side, a true retry must not be refused.
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

    /** Has a version and rules that no request has, so that it can be compared with none. */
    private static final Fingerprint ANY_REQUEST =
            of(MAX_VERSION, new byte[0][]).withRules("semel: any request");

    private record OperationTag(String identity, int tag) {}

    // Numbers instead of an array: one object, which stores in memory keep for each key.
    private final int operation;
    private final int version;
    private final int rules;
    private final long digest1;
    private final long digest2;
    private final long digest3;
    private final long digest4;

    private Fingerprint(int operation, int version, int rules, ByteBuffer digest) {
        this.operation = operation;
        this.version = version;
        this.rules = rules;
        this.digest1 = digest.getLong();
        this.digest2 = digest.getLong();
        this.digest3 = digest.getLong();
        this.digest4 = digest.getLong();
    }

    private Fingerprint(int operation, int rules, Fingerprint other) {
        this.operation = operation;
        this.version = other.version;
        this.rules = rules;
        this.digest1 = other.digest1;
        this.digest2 = other.digest2;
        this.digest3 = other.digest3;
        this.digest4 = other.digest4;
    }

    /** The fingerprint of the given parts. {@code version} is the version of the caller's algorithm that chose them. */
    public static Fingerprint of(int version, byte[]... parts) {
        if (version < 0 || version > MAX_VERSION) {
            throw new IllegalArgumentException(
                    "fingerprint version must be between 0 and " + MAX_VERSION + ", got " + version);
        }
        return new Fingerprint(0, version, 0, ByteBuffer.wrap(LengthPrefixedDigest.sha256Of(parts)));
    }

    /** The fingerprint, version 1, of a request in a canonical form, such as the bytes of its body. */
    public static Fingerprint of(byte[] request) {
        return of(1, request);
    }

    /** The fingerprint, version 1, of text in a canonical form. */
    public static Fingerprint of(String... parts) {
        return of(1, encoded(parts));
    }

    /**
     * The fingerprint of an unknown request, for example one that another system has accepted. It matches every request
     * of its operation, so a key that is stored with it answers any request that is sent under the key.
     */
    public static Fingerprint ofAnyRequest() {
        return ANY_REQUEST;
    }

    /** Reads the form that {@link #bytes} returns. */
    public static Fingerprint fromBytes(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a fingerprint has " + LENGTH + " bytes, got " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Fingerprint(buffer.getInt(), buffer.get() & 0xff, buffer.getInt(), buffer);
    }

    /**
     * The same fingerprint, made under these rules. The rules describe which parts of a request are covered, such as
     * the names of fields, in a fixed order. When the rules of an operation change, a request that was first sent under
     * the previous rules still counts as a retry.
     */
    public Fingerprint withRules(String... rules) {
        return new Fingerprint(operation, tag(LengthPrefixedDigest.sha256Of(encoded(rules))), this);
    }

    /**
     * The same fingerprint, assigned to an operation unless it already has one. The engine does this with every call,
     * by {@link dev.semel.policy.Policy#identity}. A front end may call it first if something else identifies equal
     * requests better than the operation's name.
     */
    public Fingerprint forOperation(String identity) {
        if (operation != 0) {
            return this;
        }
        int slot = identity.hashCode() & (TAGS.length() - 1);
        OperationTag tag = TAGS.get(slot);
        if (tag == null || !tag.identity.equals(identity)) {
            tag = new OperationTag(identity, tag(LengthPrefixedDigest.sha256Of(encoded(identity))));
            TAGS.set(slot, tag);
        }
        return new Fingerprint(tag.tag, rules, this);
    }

    /**
     * The same fingerprint under a secret key: someone who can read the store cannot guess the request from it.
     * Fingerprints of different keys cannot be compared, like those of different rules. Set the rules first.
     */
    public Fingerprint withKey(byte[] secret) {
        byte[] bytes = bytes();
        byte[] keyedRules = LengthPrefixedDigest.hmacSha256(secret)
                .add("rules")
                .add(Arrays.copyOfRange(bytes, RULES_AT, DIGEST_AT))
                .bytes();
        byte[] keyedDigest = LengthPrefixedDigest.hmacSha256(secret)
                .add("digest")
                .add(Arrays.copyOfRange(bytes, DIGEST_AT, LENGTH))
                .bytes();
        return new Fingerprint(operation, version, tag(keyedRules), ByteBuffer.wrap(keyedDigest));
    }

    /** The first four bytes of a digest. */
    private static int tag(byte[] digest) {
        return ByteBuffer.wrap(digest).getInt();
    }

    private static byte[][] encoded(String... parts) {
        byte[][] encoded = new byte[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            encoded[i] = parts[i].getBytes(StandardCharsets.UTF_8);
        }
        return encoded;
    }

    public int version() {
        return version;
    }

    /** The stored form: the operation, the version, the rules, then the digest. */
    public byte[] bytes() {
        return ByteBuffer.allocate(LENGTH)
                .putInt(operation)
                .put((byte) version)
                .putInt(rules)
                .putLong(digest1)
                .putLong(digest2)
                .putLong(digest3)
                .putLong(digest4)
                .array();
    }

    /**
     * Whether a request with this fingerprint may be a retry of the request with the other one: both are for the same
     * operation, and ask for the same as far as they can be compared. Every store compares fingerprints with this
     * method.
     */
    public boolean matches(Fingerprint other) {
        return operation == other.operation && (version != other.version || rules != other.rules || hasDigestOf(other));
    }

    private boolean hasDigestOf(Fingerprint other) {
        return digest1 == other.digest1
                && digest2 == other.digest2
                && digest3 == other.digest3
                && digest4 == other.digest4;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Fingerprint that
                && operation == that.operation
                && version == that.version
                && rules == that.rules
                && hasDigestOf(that);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(digest1) ^ operation;
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes());
    }
}
