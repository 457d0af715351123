package dev.semel.testkit.history;

import dev.semel.Key;
import dev.semel.testkit.history.Circumstance.Lapsed;
import dev.semel.testkit.history.History.ClientAnswer;
import dev.semel.testkit.history.History.Kind;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The rules for keys and operations that affect each other: no failure of another, no harm by another. */
record CompositionRules(Surroundings surroundings, List<RequestStory> requests, boolean mayRunAgain) {

    /** Receives the findings about one key. */
    interface Report {

        void broken(Guarantee guarantee, String what, List<RequestStory> told, List<Circumstance> around);
    }

    /** Looks at one request, which may be that of a child of {@code parents}. */
    void check(RequestStory request, List<RequestStory> parents, Report report) {
        checkResult(request, report);
        checkParents(request, parents, report);
        checkHarm(request, report);
        if (surroundings.calmBefore(request).isPresent()) {
            checkCalm(request, report);
        }
    }

    private void checkResult(RequestStory request, Report report) {
        String payload = request.payload();
        if (payload != null && request.hasStoredOutcome() && !surroundings.explain(key(request), payload)) {
            report.broken(
                    Guarantee.G9, "an outcome was stored that is not the operation's own", List.of(request), List.of());
        }
    }

    private void checkParents(RequestStory child, List<RequestStory> all, Report report) {
        Set<Key> parents = surroundings.parents(key(child));
        if (parents.isEmpty() || !child.hasStoredOutcome()) {
            return;
        }
        all.stream()
                .filter(parent -> parents.contains(key(parent)) && parent.hasStoredOutcome())
                .filter(parent -> !Objects.equals(parent.payload(), child.payload()))
                .findFirst()
                .ifPresent(parent -> report.broken(
                        Guarantee.G9,
                        "the outcome of an operation contradicts that of the one inside it",
                        List.of(parent, child),
                        List.of()));
    }

    private void checkHarm(RequestStory request, Report report) {
        for (Circumstance harm : surroundings.harms(request)) {
            surroundings
                    .heldDuring(request)
                    .filter(held -> !held.key().equals(key(request)) && held.number() < harm.number())
                    .findFirst()
                    .ifPresent(held -> report.broken(
                            Guarantee.G10,
                            (harm instanceof Lapsed ? "a lease lapsed" : "a request waited")
                                    + " while another key was held",
                            List.of(request),
                            List.of(held, harm)));
        }
    }

    /** When all is calm, nothing stands against a request but a key that must be decided about. */
    private void checkCalm(RequestStory request, Report report) {
        boolean blocked =
                request.isTold(ClientAnswer.IN_FLIGHT) || (mayRunAgain && request.isTold(ClientAnswer.UNKNOWN));
        if (blocked && requests.stream().noneMatch(other -> !other.equals(request) && other.overlaps(request))) {
            report.broken(
                    Guarantee.G10,
                    "a key was kept by a request that does not run any more",
                    List.of(request),
                    List.copyOf(surroundings.calmBefore(request).stream().toList()));
        }
        if (request.isTold(ClientAnswer.UNKNOWN)
                && requests.stream()
                        .filter(other ->
                                other.start().number() < request.start().number())
                        .allMatch(CompositionRules::hadNoEffect)) {
            report.broken(
                    Guarantee.G10,
                    "the outcome of a key was called unknown, though no request had ever begun to run",
                    List.of(request),
                    List.copyOf(surroundings.calmBefore(request).stream().toList()));
        }
    }

    private static boolean hadNoEffect(RequestStory request) {
        return request.isTold(ClientAnswer.NOT_APPLIED)
                || (request.end() != null && request.end().kind() == Kind.FAIL);
    }

    private static Key key(RequestStory request) {
        return request.start().key();
    }
}
