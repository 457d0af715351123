package dev.semel;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A digest of what a request asks for, so that a key that is sent again with another request can be told from a retry.
 *
 * <p>It carries the version of the algorithm that made it. Fingerprints of different versions cannot be compared and
 * therefore never count as a mismatch: while two releases run side by side, a true retry must not be refused.
 */
public final class Fingerprint {

    /** Length of {@link #bytes}: one byte of version, then SHA-256. */
    public static final int LENGTH = 33;

    private static final int MAX_VERSION = 255;

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
        LengthPrefixedDigest digest = LengthPrefixedDigest.sha256();
        for (byte[] part : parts) {
            digest.add(part);
        }
        byte[] bytes = new byte[LENGTH];
        bytes[0] = (byte) version;
        System.arraycopy(digest.bytes(), 0, bytes, 1, LENGTH - 1);
        return new Fingerprint(bytes);
    }

    /** The fingerprint, version 1, of text in a canonical form. */
    public static Fingerprint of(String... parts) {
        byte[][] encoded = new byte[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            encoded[i] = parts[i].getBytes(StandardCharsets.UTF_8);
        }
        return of(1, encoded);
    }

    /** Reads what {@link #bytes} gave. */
    public static Fingerprint fromBytes(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a fingerprint has " + LENGTH + " bytes, got " + bytes.length);
        }
        return new Fingerprint(bytes.clone());
    }

    public int version() {
        return bytes[0] & 0xff;
    }

    /** The stored form: the version, then the digest. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Whether a request with this fingerprint may be a retry of the one with the other. */
    public boolean matches(Fingerprint other) {
        return bytes[0] != other.bytes[0] || Arrays.equals(bytes, other.bytes);
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
