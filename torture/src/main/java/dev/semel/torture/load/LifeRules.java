package dev.semel.torture.load;

import dev.semel.Key;
import dev.semel.testkit.history.Effect;
import dev.semel.testkit.history.Guarantee;
import dev.semel.testkit.history.History.Event;
import dev.semel.testkit.history.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the lives of a key have to do with each other. */
public final class LifeRules {

    private LifeRules() {}

    /** Finds effects of keys that should have been refused as expired, and tokens that are not larger in a later life. */
    public static List<Violation> check(List<Event> events, List<Effect> effects) {
        List<Violation> violations = new ArrayList<>();
        Map<Key, List<Effect>> ofKeys = new HashMap<>();
        for (Effect effect : effects) {
            if (Life.isTombstone(effect.key())) {
                violations.add(
                        violation(Guarantee.G7, "the operation ran although its key had a tombstone", effect, events));
            }
            ofKeys.computeIfAbsent(withoutLife(effect.key()), any -> new ArrayList<>())
                    .add(effect);
        }
        for (List<Effect> ofKey : ofKeys.values()) {
            for (Effect later : ofKey) {
                ofKey.stream()
                        .filter(earlier -> life(earlier) < life(later) && earlier.token() >= later.token())
                        .findFirst()
                        .ifPresent(earlier -> violations.add(violation(
                                Guarantee.G3,
                                "the token is not larger than in an earlier life of the key: " + earlier,
                                later,
                                events)));
            }
        }
        return violations;
    }

    private static Key withoutLife(Key judged) {
        int life = judged.value().indexOf(Life.NUMBER);
        return life < 0 ? judged : Key.of(judged.scope(), judged.value().substring(0, life));
    }

    private static int life(Effect effect) {
        String value = effect.key().value().replace(Life.TOMBSTONE, "");
        int life = value.indexOf(Life.NUMBER);
        return life < 0 ? 0 : Integer.parseInt(value.substring(life + 1));
    }

    private static Violation violation(Guarantee guarantee, String what, Effect effect, List<Event> events) {
        List<String> story = Stream.concat(
                        events.stream()
                                .filter(event -> event.key().equals(effect.key()))
                                .map(Event::toString),
                        Stream.of(effect.toString()))
                .toList();
        return new Violation(guarantee, effect.key(), what, story);
    }
}
