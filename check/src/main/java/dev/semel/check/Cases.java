package dev.semel.check;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All cases, in the order of the protocol, and their helpers. */
final class Cases {

    static final List<CheckCase> ALL = Stream.of(
                    HeaderCases.all(),
                    SameRequestCases.all(),
                    InFlightCases.all(),
                    StoredCases.all(),
                    CallerCases.all(),
                    DialectCases.all())
            .flatMap(List::stream)
            .sorted((a, b) -> Double.compare(number(a), number(b)))
            .toList();

    private Cases() {}

    private static double number(CheckCase checkCase) {
        return Double.parseDouble(checkCase.id().substring(1));
    }

    /** Another body than that of the target, which would succeed too; {@code null} if there is no way to make one. */
    static byte @Nullable [] otherBody(CheckTarget target) {
        if (target.otherBody != null) {
            return target.otherBody;
        }
        return JsonShape.of(new String(target.body, java.nio.charset.StandardCharsets.UTF_8))
                .map(shape -> shape.changed().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .orElse(null);
    }

    static byte[] knownOtherBody(CheckTarget target) {
        byte[] other = otherBody(target);
        if (other == null) {
            throw new IllegalStateException("there is no other body");
        }
        return other;
    }

    static @Nullable String needsOtherBody(CheckTarget target) {
        return otherBody(target) == null ? "--other-body: this body is not a JSON object that could be changed" : null;
    }

    static @Nullable String needsSlowHeader(CheckTarget target) {
        return target.slowHeader == null
                ? "--slow-header: a header that makes a request take a second or longer"
                : null;
    }

    /** For answers that do not show whether the operation was run or replayed. */
    static Verdict cannotSee(String seen) {
        return Verdict.skipped(
                seen + ": replays are not marked and all answers are equal, so a second run cannot be seen");
    }

    /** For answers that leave open how many effects there were, where these could be counted. */
    static Verdict needsCount(String seen) {
        return Verdict.skipped(
                seen + ": how often it was applied cannot be seen from the answers; needs --effects-url");
    }

    static Verdict turnedAway(String seen) {
        return Verdict.skipped(seen + ": refused for another reason than its key");
    }

    static String counted(OptionalLong effects) {
        return effects.isEmpty()
                ? "; effects not counted"
                : "; " + effects.getAsLong() + (effects.getAsLong() == 1 ? " effect" : " effects");
    }

    /** For a success of which no effect is seen: a count that does not move proves nothing. */
    static Verdict noEffect(String seen) {
        return Verdict.finding(
                seen + ": an answer says that it was applied, but no effect was counted. Either it was not,"
                        + " or --effects-url does not count it");
    }

    static boolean none(OptionalLong effects) {
        return effects.isPresent() && effects.getAsLong() < 1;
    }

    /** Whether the count proves that it was applied once. */
    static boolean one(OptionalLong effects) {
        return effects.isPresent() && effects.getAsLong() == 1;
    }

    static boolean moreThanOne(OptionalLong effects) {
        return effects.isPresent() && effects.getAsLong() > 1;
    }
}
