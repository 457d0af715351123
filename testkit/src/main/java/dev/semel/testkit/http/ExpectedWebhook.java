package dev.semel.testkit.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signatures and message ids of webhook providers, written separately from the code that verifies them. */
public enum ExpectedWebhook {
    WEBHOOK,
    WEBHOOK_GITHUB,
    WEBHOOK_STRIPE;

    /** The secret for the signature of requests. */
    public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private static final String OTHER_SECRET = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=";

    /** Its name. */
    public String dialect() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether a signature has a time. */
    boolean hasTime() {
        return this != WEBHOOK_GITHUB;
    }

    /** Whether a request can carry several signatures. */
    boolean hasSeveral() {
        return this != WEBHOOK_GITHUB;
    }

    /** A delivery as the provider sends it. */
    Client.Sending deliver(Client.Sending request, String id, int amount, Instant at) {
        return deliver(request, id, amount, at, SECRET);
    }

    /** A delivery from a sender that does not know the secret. */
    Client.Sending forge(Client.Sending request, String id, int amount, Instant at) {
        return deliver(request, id, amount, at, OTHER_SECRET);
    }

    /** A delivery with two signatures, while the provider replaces its secret. */
    Client.Sending deliverWithBothSecrets(Client.Sending request, String id, int amount, Instant at) {
        String body = body(id, amount);
        if (this == WEBHOOK) {
            return request.body(body)
                    .header("webhook-id", id)
                    .header("webhook-timestamp", Long.toString(at.getEpochSecond()))
                    .header(
                            "webhook-signature",
                            standard(id, body, at, OTHER_SECRET) + " v1a,not-for-us " + standard(id, body, at, SECRET));
        }
        return request.body(body)
                .header(
                        "Stripe-Signature",
                        "t=" + at.getEpochSecond() + ",v1=" + stripe(body, at, OTHER_SECRET) + ",v1="
                                + stripe(body, at, SECRET) + ",v0=00");
    }

    private Client.Sending deliver(Client.Sending request, String id, int amount, Instant at, String secret) {
        String body = body(id, amount);
        request.body(body);
        return switch (this) {
            case WEBHOOK ->
                request.header("webhook-id", id)
                        .header("webhook-timestamp", Long.toString(at.getEpochSecond()))
                        .header("webhook-signature", standard(id, body, at, secret));
            case WEBHOOK_GITHUB ->
                request.header("X-GitHub-Delivery", id)
                        .header("X-Hub-Signature-256", "sha256=" + hex(secret.getBytes(StandardCharsets.UTF_8), body));
            case WEBHOOK_STRIPE ->
                request.header("Stripe-Signature", "t=" + at.getEpochSecond() + ",v1=" + stripe(body, at, secret));
        };
    }

    private static String body(String id, int amount) {
        return "{\"id\":\"" + id + "\",\"amount\":" + amount + "}";
    }

    private static String standard(String id, String body, Instant at, String secret) {
        byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        return "v1," + Base64.getEncoder().encodeToString(hmac(key, id + "." + at.getEpochSecond() + "." + body));
    }

    private static String stripe(String body, Instant at, String secret) {
        return hex(secret.getBytes(StandardCharsets.UTF_8), at.getEpochSecond() + "." + body);
    }

    private static String hex(byte[] key, String text) {
        return HexFormat.of().formatHex(hmac(key, text));
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
