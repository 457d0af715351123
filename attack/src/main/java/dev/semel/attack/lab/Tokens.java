package dev.semel.attack.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes signed tokens, and such as only look like it. */
public final class Tokens {

    static final String ISSUER = "https://issuer.example";
    static final String AUDIENCE = "payments";

    private static final String HEADER = "{\"alg\":\"ES256\",\"typ\":\"JWT\"}";

    private final KeyPair trusted = pair();
    private final KeyPair foreign = pair();
    private final String keyFile;

    public Tokens(Path directory) throws IOException {
        keyFile = Certificate.Pem.write(
                directory, "PUBLIC KEY", trusted.getPublic().getEncoded());
    }

    private static KeyPair pair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256", e);
        }
    }

    String keyFile() {
        return keyFile;
    }

    /** Claims of this subject that are in order. */
    public static String claims(String subject) {
        return "{\"sub\":\"" + subject + "\",\"iss\":\"" + ISSUER + "\",\"aud\":\"" + AUDIENCE + "\",\"exp\":"
                + Instant.now().plusSeconds(600).getEpochSecond() + "}";
    }

    /** Signed by the issuer. */
    public String signed(String claims) {
        return signed(HEADER, claims);
    }

    /** Signed by the issuer, under a header that it would not write. */
    public String signed(String header, String claims) {
        return sign(header, claims, trusted);
    }

    /** Signed with an untrusted key. */
    public String signedByAnother(String header, String claims) {
        return sign(header, claims, foreign);
    }

    /** The untrusted public key, as a JSON Web Key. */
    public String foreignKey() {
        java.security.interfaces.ECPublicKey key = (java.security.interfaces.ECPublicKey) foreign.getPublic();
        return "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\""
                + coordinate(key.getW().getAffineX()) + "\",\"y\":\""
                + coordinate(key.getW().getAffineY()) + "\"}";
    }

    private static String coordinate(java.math.BigInteger number) {
        byte[] bytes = number.toByteArray();
        byte[] exact = new byte[32];
        int length = Math.min(bytes.length, exact.length);
        System.arraycopy(bytes, bytes.length - length, exact, exact.length - length, length);
        return encode(exact);
    }

    /** Signed with the public key, as if that were a shared secret. */
    public String signedWithThePublicKey(String claims) {
        String content = content("{\"alg\":\"HS256\"}", claims);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(trusted.getPublic().getEncoded(), "HmacSHA256"));
            return content + "." + encode(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC", e);
        }
    }

    /** Without a signature. */
    public String unsigned(String header, String claims) {
        return content(header, claims) + ".";
    }

    /** The issuer's signature of one set of claims under another. */
    public String swapped(String signedClaims, String claims) {
        String signature = signed(signedClaims).split("\\.")[2];
        return content(HEADER, claims) + "." + signature;
    }

    /** A signature of zeros, which verified everything in some releases of Java. */
    public String signedWithZeros(String claims) {
        return content(HEADER, claims) + "." + encode(new byte[64]);
    }

    private static String sign(String header, String claims, KeyPair keys) {
        String content = content(header, claims);
        try {
            Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(keys.getPrivate());
            signature.update(content.getBytes(StandardCharsets.US_ASCII));
            return content + "." + encode(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has ECDSA", e);
        }
    }

    private static String content(String header, String claims) {
        return encode(header.getBytes(StandardCharsets.UTF_8)) + "." + encode(claims.getBytes(StandardCharsets.UTF_8));
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
