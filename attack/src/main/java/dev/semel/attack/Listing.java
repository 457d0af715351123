package dev.semel.attack;

import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Rule;
import java.util.ArrayList;
import java.util.List;

/** Collects the attacks of one group. */
final class Listing {

    private final Group group;
    private final List<Attack> attacks = new ArrayList<>();
    private Profile profile = Profile.PLAIN;

    Listing(Group group) {
        this.group = group;
    }

    /** What follows is for a gateway of this profile. */
    Listing on(Profile gateway) {
        profile = gateway;
        return this;
    }

    /** Bytes for the proxy that must be refused. */
    Listing refused(String name, String about, String bytes) {
        return bytes(name, about, List.of(bytes), Rule.refused());
    }

    /** Bytes for the proxy, each element on a connection of its own, and the rules that must hold afterwards. */
    Listing bytes(String name, String about, List<String> bytes, Rule... rules) {
        return script(name, about, new ByteAttack(profile, false, bytes, List.of(rules)));
    }

    /** Bytes for the admin address. */
    Listing admin(String name, String about, String bytes, Rule... rules) {
        return script(name, about, new ByteAttack(profile, true, List.of(bytes), List.of(rules)));
    }

    /** So many connections at once, each of which does this. */
    Listing flood(String name, String about, int connections, Flood.Stream stream) {
        return script(name, about, new Flood(profile, connections, stream));
    }

    Listing script(String name, String about, Script script) {
        attacks.add(new Attack(group, name, about, profile, script));
        return this;
    }

    List<Attack> all() {
        return List.copyOf(attacks);
    }
}
