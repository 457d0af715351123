package dev.semel.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What a response means for the retries of its operation. */
sealed interface Verdict {

    /** The answer to the operation. */
    record Final(boolean replayed, boolean refused) implements Verdict {}

    /** To be tried again with the same key. */
    record Again(Optional<Duration> after, boolean applied, String note) implements Verdict {}

    /** The outcome is to be asked for at another address. */
    record Follow(String location, Optional<Duration> after) implements Verdict {}

    Set<Integer> AGAIN = Set.of(408, 409, 425, 429, 502, 503, 504);

    /** Refused before anything of the operation began, as the status itself says. */
    Set<Integer> NOT_BEGUN = Set.of(425, 429);

    /** Said of this request rather than of the operation: an earlier attempt may have been applied. */
    Set<Integer> REFUSED = Set.of(401, 403, 407, 413, 421, 431);

    static Verdict of(Answer<?> answer, RetryPolicy policy, Set<String> markers, Instant now) {
        int status = answer.status();
        boolean replayed = markers.stream()
                .anyMatch(name -> answer.headers()
                        .first(name)
                        .filter(value -> value.strip().equalsIgnoreCase("true"))
                        .isPresent());
        Optional<Duration> after = answer.headers().first("Retry-After").flatMap(value -> RetryAfter.parse(value, now));
        Optional<ProblemDetails> problem =
                Answer.bodyMatters(status) ? ProblemDetails.read(answer.body()) : Optional.empty();
        if (status == 202) {
            Optional<String> location = answer.headers().first("Location");
            boolean pending =
                    problem.filter(said -> said.outcome().equals("pending")).isPresent();
            return pending && location.isPresent()
                    ? new Follow(location.get(), after)
                    : pending ? new Again(after, true, "still running") : new Final(replayed, false);
        }
        // A stored answer stays what it is, however often one asks.
        if (replayed || status < 400 || policy.isFinal(status)) {
            return new Final(replayed, false);
        }
        return errorVerdict(answer, problem, after);
    }

    private static Verdict errorVerdict(Answer<?> answer, Optional<ProblemDetails> problem, Optional<Duration> after) {
        int status = answer.status();
        Optional<String> stripe = answer.headers().first("Stripe-Should-Retry");
        String retry = problem.map(ProblemDetails::retry).orElse("");
        String outcome = problem.map(ProblemDetails::outcome).orElse("");
        boolean again = !retry.isEmpty()
                ? retry.equals("same-key") && (AGAIN.contains(status) || after.isPresent() || status >= 500)
                : stripe.isPresent() ? stripe.get().strip().equalsIgnoreCase("true") : AGAIN.contains(status);
        if (!again) {
            return new Final(false, REFUSED.contains(status));
        }
        boolean applied = outcome.isEmpty() ? !NOT_BEGUN.contains(status) : !outcome.equals("not-applied");
        String note = outcome.isEmpty() ? "to be retried" : "to be retried, outcome " + outcome;
        return new Again(after, applied, note);
    }
}
