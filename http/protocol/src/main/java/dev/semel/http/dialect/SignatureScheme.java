package dev.semel.http.dialect;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How the sender of a webhook signs it: HMAC-SHA-256 with a secret that both sides know. A request may carry several
 * signatures, and a receiver several secrets, while a secret is being replaced; one pair that fits is enough.
 */
public enum SignatureScheme {
    /** Standard Webhooks: {@code id.timestamp.body}, in Base64, after {@code v1,}. */
    STANDARD_WEBHOOKS {
        @Override
        public byte[] key(String secret) {
            String encoded = secret.startsWith(STANDARD_PREFIX) ? secret.substring(STANDARD_PREFIX.length()) : secret;
            try {
                return Base64.getDecoder().decode(encoded);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("a secret of Standard Webhooks is Base64 after \"" + STANDARD_PREFIX
                        + "\", but this one is not");
            }
        }

        @Override
        public boolean isSigned(Headers headers, byte[] body, List<byte[]> keys, Instant now) {
            String id = headers.only("webhook-id");
            String timestamp = headers.only("webhook-timestamp");
            if (!isTimely(timestamp, now)) {
                return false;
            }
            List<byte[]> signatures = new ArrayList<>();
            for (String each : headers.only("webhook-signature").split(" ", MOST_SIGNATURES + 1)) {
                if (each.startsWith("v1,")) {
                    decode(signatures, each.substring("v1,".length()), Base64.getDecoder()::decode);
                }
            }
            return fits((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8), body, keys, signatures);
        }
    },

    /** GitHub: the body alone, in hexadecimal digits, in {@code X-Hub-Signature-256}. It has no time. */
    GITHUB {
        @Override
        public boolean isSigned(Headers headers, byte[] body, List<byte[]> keys, Instant now) {
            String signature = headers.only("X-Hub-Signature-256");
            List<byte[]> signatures = new ArrayList<>();
            if (signature.startsWith("sha256=")) {
                decode(signatures, signature.substring("sha256=".length()), HexFormat.of()::parseHex);
            }
            return fits(new byte[0], body, keys, signatures);
        }
    },

    /** Stripe: {@code timestamp.body}, in hexadecimal digits, in {@code Stripe-Signature: t=...,v1=...}. */
    STRIPE {
        @Override
        public boolean isSigned(Headers headers, byte[] body, List<byte[]> keys, Instant now) {
            String timestamp = "";
            List<byte[]> signatures = new ArrayList<>();
            for (String each : headers.only("Stripe-Signature").split(",", MOST_SIGNATURES + 1)) {
                String part = each.strip();
                if (part.startsWith("t=")) {
                    timestamp = part.substring("t=".length());
                } else if (part.startsWith("v1=")) {
                    decode(signatures, part.substring("v1=".length()), HexFormat.of()::parseHex);
                }
            }
            return isTimely(timestamp, now)
                    && fits((timestamp + ".").getBytes(StandardCharsets.UTF_8), body, keys, signatures);
        }
    };

    /** How far the time of a signature may be from now, in both directions. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static final String STANDARD_PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int MOST_SIGNATURES = 20;

    /** The lines of headers by their name, without regard to case. */
    @FunctionalInterface
    public interface Headers {
        List<String> lines(String name);

        /** The value of a header that stands there once; empty for any other. */
        private String only(String name) {
            List<String> lines = lines(name);
            return lines.size() == 1 ? lines.get(0).strip() : "";
        }
    }

    /** Decodes a secret as providers show it. */
    public byte[] key(String secret) {
        return secret.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether a request is signed with one of these keys, and lately. */
    public abstract boolean isSigned(Headers headers, byte[] body, List<byte[]> keys, Instant now);

    private static boolean isTimely(String timestamp, Instant now) {
        return timestamp.matches("[0-9]{1,11}")
                && Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now)
                                .abs()
                                .compareTo(TOLERANCE)
                        <= 0;
    }

    /** A signature that cannot be decoded does not match. */
    private static void decode(List<byte[]> signatures, String text, Function<String, byte[]> decoder) {
        try {
            signatures.add(decoder.apply(text));
        } catch (IllegalArgumentException e) {
            signatures.add(new byte[0]);
        }
    }

    /** Compares every pair, each in constant time, whatever the others were. */
    private static boolean fits(byte[] before, byte[] body, List<byte[]> keys, List<byte[]> signatures) {
        boolean fits = false;
        for (byte[] key : keys) {
            byte[] expected = hmac(key, before, body);
            for (byte[] signature : signatures) {
                fits |= MessageDigest.isEqual(expected, signature);
            }
        }
        return fits;
    }

    private static byte[] hmac(byte[] key, byte[] before, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(before);
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
