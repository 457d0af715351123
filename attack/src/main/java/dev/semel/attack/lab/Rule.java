package dev.semel.attack.lab;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Something that must be true after an attack. */
@FunctionalInterface
public interface Rule {

    /** What is wrong; {@code null} if nothing is. */
    @Nullable
    String brokenBy(Observed outcome);

    /** No request reached the service. */
    static Rule nothingReached() {
        return outcome -> outcome.seen().isEmpty() ? null : "the request reached the service";
    }

    /** Every request was turned down, and none reached the service. */
    static Rule refused() {
        return outcome -> outcome.answers().stream().allMatch(Answer::isRefusal)
                ? nothingReached().brokenBy(outcome)
                : "the request was not refused";
    }

    /** Every answer has one of these statuses. */
    static Rule answered(Integer... statuses) {
        return outcome -> outcome.answers().stream()
                        .allMatch(answer -> Arrays.asList(statuses).contains(answer.status()))
                ? null
                : "the answer is not " + Arrays.toString(statuses);
    }

    /** The service saw exactly so many requests. */
    static Rule reached(int times) {
        return outcome -> outcome.seen().size() == times
                ? null
                : "the service saw " + outcome.seen().size() + " requests instead of " + times;
    }

    /** The service saw at most so many requests. */
    static Rule reachedAtMost(int times) {
        return outcome -> outcome.seen().size() <= times
                ? null
                : "the service saw " + outcome.seen().size() + " requests instead of at most " + times;
    }

    /** No request that reached the service contains this. */
    static Rule hidden(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return outcome -> {
            for (SeenRequest seen : outcome.seen()) {
                if (seen.lower().contains(lower)) {
                    return "the service saw " + text;
                }
            }
            return null;
        };
    }

    /** No answer contains this. */
    static Rule untold(String text) {
        return outcome -> outcome.answers().stream()
                        .noneMatch(answer ->
                                answer.head().contains(text) || answer.body().contains(text))
                ? null
                : "an answer contains " + text.strip();
    }

    /** The last answer is not a replay of an earlier one. */
    static Rule notReplayed() {
        return outcome -> outcome.last().header("Idempotent-Replayed").isEmpty()
                ? null
                : "another request's response was replayed";
    }

    /** Nothing that reached the service can be read in two ways. */
    static Rule unambiguous() {
        return outcome -> {
            for (SeenRequest seen : outcome.seen()) {
                String oddity = seen.oddity();
                if (oddity != null) {
                    return "the service saw " + oddity.replaceAll("\\p{Cntrl}", "?");
                }
            }
            return null;
        };
    }
}
