package dev.semel.client;

import dev.semel.client.response.RetryAfter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** The meaning of a response for the retries of its operation. */
sealed interface Verdict {

    /** The response itself does not call for a retry. */
    record Final(boolean replayed, Meaning meaning) implements Verdict {}

    /** The meaning of a final response. */
    enum Meaning {
        /** The outcome of the operation, from any attempt. */
        OUTCOME,
        /** The answer to this request. The answer to an earlier attempt, if there is one, would be a replay. */
        ANSWER,
        /** A refusal of this request, which repeating it would not change. */
        REFUSAL,
        /** The server does not know the outcome, and asking it again does not help. */
        UNKNOWN
    }

    /** The operation has to be retried with the same key. */
    record Again(Optional<Duration> after, boolean applied, String note) implements Verdict {}

    /** The outcome has to be requested at another address. */
    record Follow(String location, Optional<Duration> after) implements Verdict {}

    Set<Integer> AGAIN = Set.of(408, 409, 425, 429, 502, 503, 504);

    /**
     * Refused before the operation started, according to the status itself. A 429 does not say so: an operation that
     * had effects and was then throttled by another service may answer with it.
     */
    int TOO_EARLY = 425;

    /** Only the caller can fix the cause of these statuses. */
    Set<Integer> REFUSED = Set.of(401, 403, 407, 413, 421, 431);

    static Verdict of(ServerAnswer<?> answer, RetryPolicy policy, Set<String> markers, Instant now) {
        int status = answer.status();
        boolean replayed = markers.stream()
                .anyMatch(name -> answer.headers()
                        .first(name)
                        .filter(value -> value.strip().equalsIgnoreCase("true"))
                        .isPresent());
        Optional<Duration> after = answer.headers().first("Retry-After").flatMap(value -> RetryAfter.parse(value, now));
        Optional<ProblemDetails> problem =
                ServerAnswer.bodyMatters(status) ? ProblemDetails.read(answer.body()) : Optional.empty();
        if (status == 202) {
            Optional<String> location = answer.headers().first("Location");
            boolean pending =
                    problem.filter(said -> said.outcome().equals("pending")).isPresent();
            return pending && location.isPresent()
                    ? new Follow(location.get(), after)
                    : pending ? new Again(after, true, "still running") : new Final(replayed, Meaning.OUTCOME);
        }
        // A stored answer stays what it is, however often one asks.
        if (replayed || status < 300 || policy.isFinal(status)) {
            return new Final(replayed, Meaning.OUTCOME);
        }
        if (status < 400) {
            return new Final(false, Meaning.ANSWER);
        }
        return errorVerdict(answer, problem, after);
    }

    private static Verdict errorVerdict(
            ServerAnswer<?> answer, Optional<ProblemDetails> problem, Optional<Duration> after) {
        int status = answer.status();
        Optional<String> stripe = answer.headers().first("Stripe-Should-Retry");
        String retry = problem.map(ProblemDetails::retry).orElse("");
        String outcome = problem.map(ProblemDetails::outcome).orElse("");
        boolean again = !retry.isEmpty()
                ? retry.equals("same-key") && (AGAIN.contains(status) || after.isPresent() || status >= 500)
                : stripe.isPresent()
                        ? stripe.get().strip().equalsIgnoreCase("true")
                        : AGAIN.contains(status) || status >= 500;
        if (!again) {
            return new Final(false, meaning(status, outcome, retry, stripe.isPresent()));
        }
        boolean applied = outcome.isEmpty() ? status != TOO_EARLY : !outcome.equals("not-applied");
        String note = outcome.isEmpty() ? "to be retried" : "to be retried, outcome " + outcome;
        return new Again(after, applied, note);
    }

    private static Meaning meaning(int status, String outcome, String retry, boolean stripe) {
        if (outcome.equals("applied")) {
            return Meaning.OUTCOME;
        }
        // A server error does not tell whether there were effects before it; its stored answer would be a replay.
        if (outcome.isEmpty() && status >= 500) {
            return Meaning.UNKNOWN;
        }
        // With a new key to be used, this request at least was not applied.
        if (!retry.equals("new-key") && (outcome.equals("unknown") || outcome.equals("pending"))) {
            return Meaning.UNKNOWN;
        }
        return REFUSED.contains(status) || stripe || !retry.isEmpty() ? Meaning.REFUSAL : Meaning.ANSWER;
    }
}
