package dev.semel.testkit.http;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The promises of an API's documentation to its clients, written separately from the code that keeps them. */
public enum ExpectedDialect {
    DRAFT(
            "Idempotency-Key",
            "PUT",
            new Answers(
                    422,
                    "\"type\":\"urn:semel:problem:key-reused\"",
                    409,
                    "\"type\":\"urn:semel:problem:in-flight\"",
                    400,
                    "\"type\":\"urn:semel:problem:store-unavailable\"")),
    STRIPE(
            "Idempotency-Key",
            "PATCH",
            new Answers(
                    400,
                    "{\"error\":{\"type\":\"idempotency_error\",\"message\":\"",
                    409,
                    "\"code\":\"idempotency_key_in_use\"",
                    ExpectedDialect.PASSES,
                    "{\"error\":{\"type\":\"api_error\",")),
    STRIPE_V2(
            "Idempotency-Key",
            "PATCH",
            new Answers(
                    400,
                    "{\"error\":{\"type\":\"idempotency_error\",\"message\":\"",
                    409,
                    "\"code\":\"idempotency_key_in_use\"",
                    ExpectedDialect.PASSES,
                    "{\"error\":{\"type\":\"api_error\",")),
    ACP(
            "Idempotency-Key",
            "PATCH",
            new Answers(
                    422,
                    "{\"type\":\"invalid_request\",\"code\":\"idempotency_conflict\",\"message\":\"",
                    409,
                    "\"code\":\"idempotency_in_flight\"",
                    400,
                    "{\"type\":\"service_unavailable\",")),
    UCP(
            "Idempotency-Key",
            "GET",
            new Answers(
                    409,
                    "{\"code\":\"idempotency_conflict\",\"content\":\"",
                    409,
                    "{\"code\":\"idempotency_in_flight\",\"content\":\"",
                    ExpectedDialect.PASSES,
                    "{\"code\":\"store_unavailable\",")),
    OASIS(
            "Repeatability-Request-ID",
            "PUT",
            new Answers(
                    400,
                    "{\"error\":{\"code\":\"",
                    409,
                    "{\"error\":{\"code\":\"",
                    ExpectedDialect.PASSES,
                    "{\"error\":{")),
    ICEBERG(
            "Idempotency-Key",
            "PUT",
            new Answers(
                    422,
                    "\"type\":\"UnprocessableEntityException\",\"code\":422}}",
                    503,
                    "\"code\":503}}",
                    ExpectedDialect.PASSES,
                    "{\"error\":{\"message\":\"")),
    AIP155(
            "/request_id",
            "PUT",
            new Answers(
                    400,
                    "\"status\":\"INVALID_ARGUMENT\"",
                    409,
                    "\"status\":\"ABORTED\"",
                    400,
                    "\"status\":\"UNAVAILABLE\"")),
    PAYPAL(
            "PayPal-Request-Id",
            "PUT",
            new Answers(
                    422,
                    "{\"name\":\"PAYPAL_REQUEST_ID_PREVIOUSLY_USED\",\"message\":\"",
                    409,
                    "{\"name\":\"RESOURCE_CONFLICT\",",
                    ExpectedDialect.PASSES,
                    "{\"name\":\"")),
    SQUARE(
            "/idempotency_key",
            "PATCH",
            new Answers(
                    400,
                    "{\"errors\":[{\"category\":\"INVALID_REQUEST_ERROR\",\"code\":\"IDEMPOTENCY_KEY_REUSED\",\"detail\":\"",
                    409,
                    "{\"errors\":[{",
                    400,
                    "{\"errors\":[{\"category\":\"API_ERROR\",")),
    ADYEN(
            "Idempotency-Key",
            "PATCH",
            new Answers(
                    422,
                    "\"errorCode\":\"704\"",
                    409,
                    "\"errorCode\":\"704\"",
                    ExpectedDialect.PASSES,
                    "\"errorType\":\"internal\"")),
    SHOPIFY(
            "Idempotency-Key",
            "PATCH",
            new Answers(
                    400,
                    "\"extensions\":{\"code\":\"IDEMPOTENCY_KEY_PARAMETER_MISMATCH\"}",
                    409,
                    "\"extensions\":{\"code\":\"IDEMPOTENCY_CONCURRENT_REQUEST\"}",
                    ExpectedDialect.PASSES,
                    "{\"errors\":[{\"message\":\""));

    /** A request without a key is not refused. */
    static final int PASSES = 201;

    private static final String MARKER = "Idempotent-Replayed";
    private static final String FIRST_SENT = "Repeatability-First-Sent";
    private static final int ADYENS_LONGEST = 64;
    private static final int LONGEST = 255;

    /**
     * How a client of this API is answered.
     *
     * @param mismatch the status of another request under the same key
     * @param mismatchBody a part of its body
     * @param inFlight the status of a duplicate while the first request runs
     * @param inFlightBody a part of its body
     * @param withoutKey the status of a request without a key
     * @param storeDownBody a part of the body of a 503
     */
    record Answers(
            int mismatch,
            String mismatchBody,
            int inFlight,
            String inFlightBody,
            int withoutKey,
            String storeDownBody) {}

    private final String carrier;
    private final String unguarded;
    private final Answers answers;

    ExpectedDialect(String carrier, String unguarded, Answers answers) {
        this.carrier = carrier;
        this.unguarded = unguarded;
        this.answers = answers;
    }

    /** The dialect that an address names. */
    public static Optional<ExpectedDialect> of(String path) {
        return Endpoint.dialectOf(path)
                .flatMap(name -> Arrays.stream(values())
                        .filter(each -> each.dialect().equals(name))
                        .findFirst());
    }

    /** Its name. */
    public String dialect() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Answers answers() {
        return answers;
    }

    boolean isInBody() {
        return carrier.startsWith("/");
    }

    /** The longest key; 0 where there is no limit. */
    int maxLength() {
        return isInBody() ? 0 : this == ADYEN ? ADYENS_LONGEST : LONGEST;
    }

    /** The header of a replay, with the value {@code true}; {@code null} where there is none. */
    @Nullable
    String marker() {
        return List.of(DRAFT, STRIPE, STRIPE_V2, ACP).contains(this) ? MARKER : null;
    }

    /** A header of the first response and of its replays, and its value; empty where there is none. */
    List<String> resultHeader(String key) {
        return switch (this) {
            case ACP, ADYEN -> List.of("Idempotency-Key", key);
            case OASIS -> List.of("Repeatability-Result", "accepted");
            default -> List.of();
        };
    }

    /** Whether an operation that answered with a 500 runs again. */
    public boolean resumes() {
        return List.of(STRIPE_V2, OASIS, ICEBERG).contains(this);
    }

    /** A method that is not guarded. */
    String unguarded() {
        return unguarded;
    }

    String newKey() {
        return this == ICEBERG ? timed(Instant.now()) : UUID.randomUUID().toString();
    }

    /** A UUID of version 7 of this time. */
    private static String timed(Instant at) {
        String time = String.format("%012x", at.toEpochMilli());
        String random = UUID.randomUUID().toString();
        return time.substring(0, 8) + "-" + time.substring(8) + "-7" + random.substring(15);
    }

    /** The status of a key that is older than the API accepts; 0 where a key has no age. */
    int tooOld() {
        return this == OASIS ? 412 : this == ICEBERG ? 410 : 0;
    }

    /** Writes a key that was made two days ago into a request. */
    Client.Sending signTooLate(Client.Sending request, String key, int amount) {
        return this == ICEBERG
                ? sign(request, key, amount)
                : signed(request, key, amount).header(FIRST_SENT, httpDate(tooEarly()));
    }

    /** A key that contains a time that is too old, if keys of this dialect have a time. */
    String tooOldKey() {
        return this == ICEBERG ? timed(tooEarly()) : newKey();
    }

    private static Instant tooEarly() {
        return Instant.now().minus(Duration.ofDays(2));
    }

    private static String httpDate(Instant at) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(at.atOffset(ZoneOffset.UTC));
    }

    /** Writes a key into a request for this amount. */
    Client.Sending sign(Client.Sending request, String key, int amount) {
        Client.Sending signed = signed(request, key, amount);
        return this == OASIS ? signed.header(FIRST_SENT, httpDate(Instant.now())) : signed;
    }

    private Client.Sending signed(Client.Sending request, String key, int amount) {
        return isInBody()
                ? request.body("{\"amount\":" + amount + ",\"" + carrier.substring(1) + "\":\"" + key + "\"}")
                : request.header(carrier, key).body("{\"amount\":" + amount + "}");
    }
}
