package dev.semel.testkit.history;

import dev.semel.testkit.history.History.ClientAnswer;
import dev.semel.testkit.history.History.Event;
import dev.semel.testkit.history.History.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One request from its beginning to its end, which may be missing. */
record RequestStory(Event start, @Nullable Event end) {

    String name() {
        return start.request();
    }

    boolean isTold(ClientAnswer... answers) {
        return end != null && end.kind() == Kind.OK && List.of(answers).contains(end.answer());
    }

    /** Whether the client was given an outcome that is stored. */
    boolean hasStoredOutcome() {
        return isTold(ClientAnswer.EXECUTED, ClientAnswer.REPLAYED);
    }

    @Nullable
    String payload() {
        return end == null ? null : end.payload();
    }

    boolean beganAfterTheEndOf(RequestStory other) {
        return other.end != null && start.number() > other.end.number();
    }

    boolean beganBeforeTheEndOf(RequestStory other) {
        return other.end == null || start.number() < other.end.number();
    }

    boolean overlaps(RequestStory other) {
        return !beganAfterTheEndOf(other) && !other.beganAfterTheEndOf(this);
    }

    boolean asksTheSameAs(RequestStory other) {
        return start.fingerprint().matches(other.start.fingerprint());
    }

    Stream<Event> events() {
        return end == null ? Stream.of(start) : Stream.of(start, end);
    }
}
