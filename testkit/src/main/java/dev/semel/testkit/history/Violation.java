package dev.semel.testkit.history;

import dev.semel.Key;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A broken guarantee.
 *
 * @param what the violation, in a sentence
 * @param story the events that show it, and no others
 */
public record Violation(Guarantee guarantee, Key key, String what, List<String> story) {

    static Violation of(
            Guarantee guarantee,
            Key key,
            String what,
            List<RequestStory> told,
            List<Circumstance> around,
            List<Effect> done) {
        Stream<Map.Entry<Integer, String>> said =
                told.stream().flatMap(RequestStory::events).map(event -> Map.entry(event.number(), event.toString()));
        Stream<Map.Entry<Integer, String>> happened =
                around.stream().map(one -> Map.entry(one.number(), "#" + one.number() + " " + one));
        Stream<String> lines = Stream.concat(said, happened)
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .map(Map.Entry::getValue);
        return new Violation(
                guarantee,
                key,
                what,
                Stream.concat(lines, done.stream().map(Effect::toString)).toList());
    }

    @Override
    public String toString() {
        return guarantee + " " + guarantee.meaning() + "\n  key " + key.scope() + "/" + key.value() + ": " + what
                + "\n    " + String.join("\n    ", story);
    }
}
