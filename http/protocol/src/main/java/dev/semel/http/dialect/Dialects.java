package dev.semel.http.dialect;

import static dev.semel.http.problem.ProblemType.IN_FLIGHT;
import static dev.semel.http.problem.ProblemType.KEY_EXPIRED;
import static dev.semel.http.problem.ProblemType.KEY_INVALID;
import static dev.semel.http.problem.ProblemType.KEY_MISSING;
import static dev.semel.http.problem.ProblemType.KEY_REUSED;
import static dev.semel.http.problem.ProblemType.OUTCOME_UNKNOWN;

import dev.semel.http.problem.ProblemType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The dialects that come with Semel, each as the API's public documentation describes it. {@code docs/dialects}
 * describes the points that it leaves open.
 */
final class Dialects {

    private static final String JSON = "application/json";
    private static final String KEY_HEADER = "Idempotency-Key";
    private static final int SERVER_ERROR = 500;

    /** How old keys may be that say their age: a little less than they are kept by default. */
    private static final Duration WINDOW = Duration.ofHours(23);

    static final Dialect DRAFT = Dialect.builder("draft").build();

    /** By name, in the order of the documentation. */
    static final Map<String, Dialect> ALL = byName(
            DRAFT,
            stripe(),
            stripeV2(),
            acp(),
            ucp(),
            oasis(),
            iceberg(),
            aip155(),
            paypal(),
            square(),
            adyen(),
            shopify(),
            webhook("webhook", SignatureScheme.STANDARD_WEBHOOKS)
                    .header("webhook-id", false)
                    .build(),
            webhook("webhook-github", SignatureScheme.GITHUB)
                    .header("X-GitHub-Delivery", false)
                    .build(),
            webhook("webhook-stripe", SignatureScheme.STRIPE).bodyPointer("/id").build());

    private Dialects() {}

    private static Map<String, Dialect> byName(Dialect... dialects) {
        Map<String, Dialect> all = new LinkedHashMap<>();
        List.of(dialects).forEach(dialect -> all.put(dialect.name(), dialect));
        return all;
    }

    /**
     * Stripe's clients look for a member {@code error}, whatever the status is, and choose the exception by its type. A
     * 409 and every 5xx they send again by themselves, unless {@code Stripe-Should-Retry} says no.
     */
    private static Dialect stripe() {
        Dialect.Builder stripe = Dialect.builder("stripe")
                .header(KEY_HEADER, false)
                .keyRequired(false)
                .methods("POST")
                .error(JSON, stripeError("invalid_request_error"));
        serverErrors(stripe, stripeError("api_error"));
        stripe.answer(
                        KEY_REUSED,
                        400,
                        "idempotency_error",
                        JSON,
                        "{\"error\":{\"type\":\"idempotency_error\",\"message\":\"{detail}\"}}")
                .answer(IN_FLIGHT, 409, "idempotency_key_in_use");
        for (ProblemType cause : ProblemType.values()) {
            if (cause.retry().equals("never")) {
                stripe.answer(cause, cause.status(), code(cause), JSON, stripeError("api_error"))
                        .answerHeader(cause, "Stripe-Should-Retry", "false");
            }
        }
        return stripe.build();
    }

    private static String stripeError(String type) {
        return "{\"error\":{\"type\":\"" + type + "\",\"code\":\"{code}\",\"message\":\"{detail}\"}}";
    }

    private static Dialect stripeV2() {
        return Dialect.builder("stripe-v2", stripe())
                .methods("POST", "DELETE")
                .failures(Dialect.FailureRule.RESUMED)
                .retention(Duration.ofDays(30))
                .build();
    }

    private static Dialect acp() {
        Dialect.Builder acp = Dialect.builder("acp")
                .header(KEY_HEADER, false)
                .keyRequired(true)
                .methods("POST")
                .resultHeader(KEY_HEADER, "{key}")
                .error(JSON, acpError("invalid_request"));
        serverErrors(acp, acpError("service_unavailable"));
        return acp.answer(KEY_MISSING, 400, "idempotency_key_required")
                .answer(KEY_REUSED, 422, "idempotency_conflict")
                .answer(IN_FLIGHT, 409, "idempotency_in_flight")
                .build();
    }

    private static String acpError(String type) {
        return "{\"type\":\"" + type + "\",\"code\":\"{code}\",\"message\":\"{detail}\"}";
    }

    private static Dialect ucp() {
        return Dialect.builder("ucp")
                .header(KEY_HEADER, false)
                .keyRequired(false)
                .methods("POST", "PUT", "PATCH", "DELETE")
                .markers()
                .error(JSON, "{\"code\":\"{code}\",\"content\":\"{detail}\"}")
                .answer(KEY_REUSED, 409, "idempotency_conflict")
                .answer(IN_FLIGHT, 409, "idempotency_in_flight")
                .build();
    }

    /** OASIS Repeatable Requests 1.0. A request that is refused for its key says {@code rejected}. */
    private static Dialect oasis() {
        String result = "Repeatability-Result";
        Dialect.Builder oasis = Dialect.builder("oasis")
                .header("Repeatability-Request-ID", false)
                .keyFormat("uuid")
                .keyMaxAge(WINDOW, "Repeatability-First-Sent")
                .keyRequired(false)
                .methods("POST", "PATCH", "DELETE")
                .markers()
                .resultHeader(result, "accepted")
                .failures(Dialect.FailureRule.SERVER_ERRORS_RESUMED)
                .error(JSON, "{\"error\":{\"code\":\"{code}\",\"message\":\"{detail}\"}}")
                .answer(IN_FLIGHT, 409, "RequestInProgress")
                .answerHeader(IN_FLIGHT, result, "accepted");
        rejected(oasis, KEY_MISSING, 400, "RepeatabilityRequestIdMissing");
        rejected(oasis, KEY_INVALID, 400, "InvalidRepeatabilityHeader");
        rejected(oasis, KEY_REUSED, 400, "RepeatabilityRequestMismatch");
        rejected(oasis, KEY_EXPIRED, 412, "RepeatabilityWindowExceeded");
        return oasis.build();
    }

    private static void rejected(Dialect.Builder oasis, ProblemType cause, int status, String code) {
        oasis.answer(cause, status, code).answerHeader(cause, "Repeatability-Result", "rejected");
    }

    /**
     * Clients of an Iceberg catalog treat a 409 as a commit that lost against another one, and commit again under a new
     * key; a 503 they send again. So a duplicate gets a 503 until the first request has ended.
     */
    private static Dialect iceberg() {
        return Dialect.builder("iceberg")
                .header(KEY_HEADER, false)
                .keyFormat("uuidv7")
                .keyMaxAge(WINDOW)
                .keyRequired(false)
                .methods("POST", "DELETE")
                .markers()
                .failures(Dialect.FailureRule.SERVER_ERRORS_RESUMED)
                .error(JSON, "{\"error\":{\"message\":\"{detail}\",\"type\":\"{code}\",\"code\":{status}}}")
                .answer(KEY_INVALID, 400, "BadRequestException")
                .answer(KEY_REUSED, 422, "UnprocessableEntityException")
                .answer(IN_FLIGHT, 503, "SlowDownException")
                .answer(OUTCOME_UNKNOWN, 503, "CommitStateUnknownException")
                .build();
    }

    /** Google's API Improvement Proposal 155, with errors as AIP-193 has them. */
    private static Dialect aip155() {
        Dialect.Builder aip = Dialect.builder("aip155")
                .bodyPointer("/request_id")
                .keyFormat("uuidv4")
                .keyRequired(false)
                .methods("POST", "PATCH")
                .markers()
                .error(JSON, googleError("INVALID_ARGUMENT"));
        serverErrors(aip, googleError("UNAVAILABLE"));
        return aip.answer(KEY_REUSED, 400, "REQUEST_ID_REUSED")
                .answer(IN_FLIGHT, 409, "REQUEST_IN_PROGRESS", JSON, googleError("ABORTED"))
                .answer(OUTCOME_UNKNOWN, 409, "OUTCOME_UNKNOWN", JSON, googleError("ABORTED"))
                .build();
    }

    private static String googleError(String status) {
        return "{\"error\":{\"code\":{status},\"message\":\"{detail}\",\"status\":\"" + status
                + "\",\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.ErrorInfo\",\"reason\":\"{code}\"}]}}";
    }

    private static Dialect paypal() {
        return Dialect.builder("paypal")
                .header("PayPal-Request-Id", false)
                .keyRequired(false)
                .methods("POST", "PATCH")
                .markers()
                .error(JSON, "{\"name\":\"{code}\",\"message\":\"{detail}\"}")
                .answer(KEY_REUSED, 422, "PAYPAL_REQUEST_ID_PREVIOUSLY_USED")
                .answer(IN_FLIGHT, 409, "RESOURCE_CONFLICT")
                .build();
    }

    private static Dialect square() {
        String error = "{\"errors\":[{\"category\":\"%s\",\"code\":\"{code}\",\"detail\":\"{detail}\"}]}";
        Dialect.Builder square = Dialect.builder("square")
                .bodyPointer("/idempotency_key")
                .keyRequired(true)
                .methods("POST", "PUT")
                .markers()
                .error(JSON, error.formatted("INVALID_REQUEST_ERROR"));
        serverErrors(square, error.formatted("API_ERROR"));
        return square.answer(KEY_REUSED, 400, "IDEMPOTENCY_KEY_REUSED")
                .answer(KEY_MISSING, 400, "MISSING_REQUIRED_PARAMETER")
                .answer(IN_FLIGHT, 409, "CONFLICT")
                .build();
    }

    private static Dialect adyen() {
        String error = "{\"status\":{status},\"errorCode\":\"{code}\",\"message\":\"{detail}\",\"errorType\":\"%s\"}";
        Dialect.Builder adyen = Dialect.builder("adyen")
                .header(KEY_HEADER, false)
                .keyRequired(false)
                .maxKeyLength(64)
                .methods("POST")
                .markers()
                .resultHeader(KEY_HEADER, "{key}")
                .error(JSON, error.formatted("validation"));
        serverErrors(adyen, error.formatted("internal"));
        return adyen.answer(KEY_REUSED, 422, "704")
                .answer(IN_FLIGHT, 409, "704")
                .answerHeader(IN_FLIGHT, "transient-error", "true")
                .build();
    }

    /** Shopify's errors come with a 200; here they have a status too, for whatever stands between. */
    private static Dialect shopify() {
        return Dialect.builder("shopify")
                .header(KEY_HEADER, false)
                .keyRequired(false)
                .methods("POST")
                .markers()
                .error(JSON, "{\"errors\":[{\"message\":\"{detail}\",\"extensions\":{\"code\":\"{code}\"}}]}")
                .answer(KEY_REUSED, 400, "IDEMPOTENCY_KEY_PARAMETER_MISMATCH")
                .answer(IN_FLIGHT, 409, "IDEMPOTENCY_CONCURRENT_REQUEST")
                .answer(OUTCOME_UNKNOWN, 409, "IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED")
                .build();
    }

    /**
     * For receivers. A provider takes a 2xx for "received" and sends anything else again, for days. So what was received
     * before is acknowledged, also if its body has changed on the way; what is still being worked on is asked for again.
     */
    private static Dialect.Builder webhook(String name, SignatureScheme scheme) {
        Dialect.Builder webhook = Dialect.builder(name)
                .keyRequired(true)
                .methods("POST")
                .markers()
                .signatures(scheme)
                .failures(Dialect.FailureRule.SERVER_ERRORS_RESUMED)
                .retention(Duration.ofDays(4))
                .error(JSON, "{\"status\":\"{code}\",\"message\":\"{detail}\"}");
        for (ProblemType received : List.of(KEY_REUSED, KEY_EXPIRED, ProblemType.RESPONSE_NOT_RETAINED)) {
            webhook.answer(received, 200, "received_before");
        }
        return webhook.answer(IN_FLIGHT, 503, "in_progress").answer(OUTCOME_UNKNOWN, 503, "in_progress");
    }

    /** Sets this body for every cause that is not the client's fault. */
    private static void serverErrors(Dialect.Builder dialect, String template) {
        for (ProblemType cause : ProblemType.values()) {
            if (cause.status() >= SERVER_ERROR) {
                dialect.answer(cause, cause.status(), code(cause), JSON, template);
            }
        }
    }

    private static String code(ProblemType cause) {
        return cause.name().toLowerCase(Locale.ROOT);
    }
}
