package dev.semel.testkit;

import dev.semel.Key;
import dev.semel.testkit.Circumstance.Calm;
import dev.semel.testkit.Circumstance.Decided;
import dev.semel.testkit.Circumstance.Deployed;
import dev.semel.testkit.Circumstance.Ended;
import dev.semel.testkit.Circumstance.Freed;
import dev.semel.testkit.Circumstance.Held;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The circumstances of a history, to be asked. */
record Surroundings(List<Circumstance> circumstances) {

    <C extends Circumstance> Stream<C> all(Class<C> kind) {
        return circumstances.stream().filter(kind::isInstance).map(kind::cast);
    }

    /** Whether the history says with what operations ended by themselves. */
    boolean knowResults() {
        return all(Ended.class).findAny().isPresent();
    }

    /** The outcomes that the key may have: what its operation ended with, and what was rightly decided. */
    Set<String> results(Key key) {
        return Stream.concat(
                        all(Ended.class)
                                .filter(ended -> ended.key().equals(key))
                                .map(Ended::payload),
                        all(Decided.class)
                                .filter(decided -> decided.key().equals(key))
                                .flatMap(decided -> Stream.ofNullable(decided.payload())))
                .collect(Collectors.toSet());
    }

    /** Whether somebody decided on an outcome of the key. */
    boolean isDecided(Key key) {
        return all(Decided.class).anyMatch(decided -> decided.key().equals(key) && decided.payload() != null);
    }

    /** That somebody rightly said, while or after the first of two requests was sent, that nothing was executed. */
    Optional<Decided> freedBetween(RequestStory one, RequestStory other) {
        int from = Math.min(one.start().number(), other.start().number());
        return all(Decided.class)
                .filter(decided -> decided.payload() == null
                        && decided.key().equals(one.start().key())
                        && decided.number() > from)
                .findFirst();
    }

    /** Whether the key's row was held, or somebody decided about the key, at some moment of the request. */
    boolean isTouchedDuring(RequestStory request) {
        Key key = request.start().key();
        return heldDuring(request).anyMatch(held -> held.key().equals(key))
                || all(Decided.class)
                        .anyMatch(decided -> decided.key().equals(key)
                                && decided.number() > request.start().number()
                                && decided.number() < endOf(request));
    }

    private static int endOf(RequestStory request) {
        return request.end() == null ? Integer.MAX_VALUE : request.end().number();
    }

    /** Which rows were held at some moment of the request. */
    Stream<Held> heldDuring(RequestStory request) {
        return all(Held.class)
                .filter(held -> held.number() < endOf(request)
                        && freedAfter(held) > request.start().number());
    }

    private int freedAfter(Held held) {
        return all(Freed.class)
                .filter(freed -> freed.key().equals(held.key()) && freed.number() > held.number())
                .mapToInt(Freed::number)
                .findFirst()
                .orElse(Integer.MAX_VALUE);
    }

    Optional<Deployed> deployedBetween(RequestStory one, RequestStory other) {
        int from = Math.min(one.start().number(), other.start().number());
        int to = Math.max(one.start().number(), other.start().number());
        return all(Deployed.class)
                .filter(deployed -> deployed.number() > from && deployed.number() < to)
                .findFirst();
    }

    Optional<Calm> calmBefore(RequestStory request) {
        return all(Calm.class)
                .filter(calm -> calm.number() < request.start().number())
                .findFirst();
    }
}
