package dev.semel.attack;

import dev.semel.attack.lab.Profile;
import java.util.List;
import java.util.stream.Stream;

/**
 * One way to harm the service behind the gateway, or its other callers.
 *
 * @param name unique among all
 * @param about what is done, in a few words
 * @param profile the gateway that it is for
 */
record Attack(Group group, String name, String about, Profile profile, Script script) {

    /** All attacks there are, in the order in which they are tried. */
    static List<Attack> all() {
        return Stream.of(
                        FramingAttacks.all(),
                        Http2Attacks.all(),
                        IdentityAttacks.all(),
                        TokenAttacks.all(),
                        SpellingAttacks.all(),
                        ExhaustionAttacks.all(),
                        Http2Floods.all(),
                        AdminAttacks.all())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public String toString() {
        return group + " " + name;
    }
}
