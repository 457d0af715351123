package dev.semel.http;

import dev.semel.http.ClientBehaviour.Client;
import dev.semel.http.ClientBehaviour.Habit;
import dev.semel.http.ClientBehaviour.Misstep;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The missteps of each caller. The caller whose last one is the longest ago is forgotten for a new one. */
final class Callers {

    private static final int REMEMBERED = 1_000;
    private static final int LATEST = 5;

    private final Map<String, Notes> callers = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Notes> eldest) {
            return size() > REMEMBERED;
        }
    };

    private static final class Notes {

        private final long[] counts = new long[Habit.values().length];
        private final Deque<Misstep> latest = new ArrayDeque<>(LATEST);
        private final Misstep first;

        private Notes(Misstep first) {
            this.first = first;
        }

        private Client of(String scope) {
            return new Client(
                    scope,
                    counts[Habit.FRESH_KEY.ordinal()],
                    counts[Habit.KEY_REUSED.ordinal()],
                    counts[Habit.RETRY_TOO_EARLY.ordinal()],
                    first.at(),
                    latest.getFirst().at(),
                    List.copyOf(latest));
        }
    }

    synchronized void note(String scope, Misstep misstep) {
        Notes notes = callers.computeIfAbsent(scope, caller -> new Notes(misstep));
        notes.counts[misstep.habit().ordinal()]++;
        if (notes.latest.size() == LATEST) {
            notes.latest.removeLast();
        }
        notes.latest.addFirst(misstep);
    }

    synchronized List<Client> all() {
        return callers.entrySet().stream()
                .map(entry -> entry.getValue().of(entry.getKey()))
                .sorted(Comparator.comparingLong(Client::all).reversed().thenComparing(Client::scope))
                .toList();
    }
}
