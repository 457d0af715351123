package dev.semel.torture.load;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.testkit.history.History;
import dev.semel.testkit.history.History.ClientAnswer;
import dev.semel.torture.database.Database;
import dev.semel.torture.database.KeyPages;
import dev.semel.torture.service.HashedKeys;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Looks at every key in the store when everything is quiet, and asks for it once more through the history. */
public final class Sweep {

    private static final Set<String> HELD = Set.of("hold", "brief", "tomb");
    private static final int PAGE = 1_000;
    private static final int QUIET_SECONDS = 60;

    private final Sender sender;
    private final HashedKeys hashed;
    private final Map<KeyState, Long> states = new EnumMap<>(KeyState.class);
    private final List<String> leftovers = new ArrayList<>();
    private long asked;

    private Sweep(Sender sender, HashedKeys hashed) {
        this.sender = sender;
        this.hashed = hashed;
    }

    /** Sweeps the store, after all leases have lapsed and maintenance has had its turn. */
    public static Sweep of(Database database, Sender sender, HashedKeys hashed, List<Story> stories) throws Exception {
        Sweep sweep = new Sweep(sender, hashed);
        database.inspect(keys -> sweep.look(keys, stories));
        return sweep;
    }

    private void look(Inspecting keys, List<Story> stories) throws Exception {
        awaitQuiet(keys);
        Map<Key, KeyRecord> records = new HashMap<>();
        for (KeyRecord record : KeyPages.read(keys, KeyQuery.builder(PAGE).build(), Integer.MAX_VALUE)) {
            count(record);
            records.put(hashed.asSent(record.key()), record);
        }
        stories.forEach(story -> ask(story, records));
    }

    /** An operation may still run whose client has given up, or wait for maintenance to find it; none takes this long. */
    private static void awaitQuiet(Inspecting keys) throws Exception {
        for (int i = 0; i < QUIET_SECONDS; i++) {
            if (inState(keys, KeyState.PENDING).isEmpty()
                    && inState(keys, KeyState.LAPSED).stream().noneMatch(Sweep::isHeld)) {
                return;
            }
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private static List<KeyRecord> inState(Inspecting keys, KeyState state) throws Exception {
        return KeyPages.read(keys, KeyQuery.inState(state, PAGE), Integer.MAX_VALUE);
    }

    private static boolean isHeld(KeyRecord record) {
        return HELD.contains(record.operation());
    }

    /** How many keys are in which state. */
    public Map<KeyState, Long> states() {
        return states;
    }

    /** Keys that no attempt owns and no policy resolves. */
    public List<String> leftovers() {
        return leftovers;
    }

    private void count(KeyRecord record) {
        states.merge(record.state(), 1L, Long::sum);
        if (record.state() == KeyState.PENDING || (record.state() == KeyState.LAPSED && isHeld(record))) {
            leftovers.add(record.state() + " " + record.operation() + " "
                    + record.key().scope() + "/" + record.key().value() + ", attempt " + record.attempt()
                    + ", lease until " + record.leaseUntil());
        }
    }

    /** What a client would get now for a story whose outcome it got before, unless that may be forgotten. */
    private void ask(Story story, Map<Key, KeyRecord> records) {
        Fingerprint fingerprint = story.settledAs();
        if (fingerprint == null || story.life() != null) {
            return;
        }
        String name = "sweep-" + ++asked;
        History history = sender.history(story.operation());
        history.invoke(name, sender.judgedKey(story), fingerprint);
        KeyRecord record = records.get(story.key());
        Outcome outcome = record == null ? null : record.outcome();
        if (outcome != null) {
            history.ok(name, ClientAnswer.REPLAYED, sender.told(outcome));
        } else {
            history.ok(name, record == null ? ClientAnswer.NOT_APPLIED : ClientAnswer.UNKNOWN, null);
        }
    }
}
