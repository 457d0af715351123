package dev.semel.torture.database;

import dev.semel.testkit.history.Effect;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Effects of committed transactions, which clients may know of, although a restore has removed them from the business table. */
public final class LostEffects {

    private final Map<Operation, List<Effect>> known = new EnumMap<>(Operation.class);

    /** Notes what the business table holds before it is put back to an older state. */
    public synchronized void remember(Operation operation, List<Effect> effects) {
        known.put(operation, with(operation, effects));
    }

    /** What the table holds, and what it held before a restore. */
    public synchronized List<Effect> with(Operation operation, List<Effect> present) {
        Map<Effect, Integer> counts = new HashMap<>();
        present.forEach(effect -> counts.merge(effect, 1, Integer::sum));
        List<Effect> all = new ArrayList<>(present);
        for (Effect effect : known.getOrDefault(operation, List.of())) {
            if (counts.merge(effect, -1, Integer::sum) < 0) {
                all.add(effect);
            }
        }
        return all;
    }
}
