package dev.semel.http.behaviour;

import dev.semel.http.behaviour.ClientBehaviour.Client;
import dev.semel.http.behaviour.ClientBehaviour.Mistake;
import dev.semel.http.behaviour.ClientBehaviour.ObservedMistake;
import dev.semel.util.RecentlyUsed;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** The mistakes of each caller. The caller whose last one is the longest ago is forgotten for a new one. */
final class MistakesByCaller {

    private static final int REMEMBERED = 1_000;
    private static final int LATEST = 5;

    private final Map<String, Notes> callers = RecentlyUsed.upTo(REMEMBERED);

    private static final class Notes {

        private final long[] counts = new long[Mistake.values().length];
        private final Deque<ObservedMistake> latest = new ArrayDeque<>(LATEST);
        private final ObservedMistake first;

        private Notes(ObservedMistake first) {
            this.first = first;
        }

        private Client of(String scope) {
            return new Client(scope, counts.clone(), first.at(), List.copyOf(latest));
        }
    }

    synchronized void note(String scope, ObservedMistake observed) {
        Notes notes = callers.computeIfAbsent(scope, caller -> new Notes(observed));
        notes.counts[observed.mistake().ordinal()]++;
        if (notes.latest.size() == LATEST) {
            notes.latest.removeLast();
        }
        notes.latest.addFirst(observed);
    }

    synchronized List<Client> all() {
        return callers.entrySet().stream()
                .map(entry -> entry.getValue().of(entry.getKey()))
                .sorted(Comparator.comparingLong(Client::all).reversed().thenComparing(Client::scope))
                .toList();
    }
}
