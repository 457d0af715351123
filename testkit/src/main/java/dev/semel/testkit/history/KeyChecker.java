package dev.semel.testkit.history;

import dev.semel.Key;
import dev.semel.testkit.history.History.ClientAnswer;
import dev.semel.testkit.history.History.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks the story of one key. */
final class KeyChecker {

    private static final String FOREIGN = "a request was given another scope's outcome";

    private final Key key;
    private final boolean mayRunAgain;
    private final boolean transactional;
    private final Surroundings surroundings;
    private final List<RequestStory> requests = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private final Map<Guarantee, Violation> found = new EnumMap<>(Guarantee.class);

    KeyChecker(Key key, boolean mayRunAgain, boolean transactional, Surroundings surroundings) {
        this.key = key;
        this.mayRunAgain = mayRunAgain;
        this.transactional = transactional;
        this.surroundings = surroundings;
    }

    void add(RequestStory request) {
        requests.add(request);
    }

    void add(Effect effect) {
        effects.add(effect);
    }

    Collection<Violation> check(List<KeyChecker> strangers, List<RequestStory> all) {
        CompositionRules rules = new CompositionRules(surroundings, requests, mayRunAgain);
        for (int i = 0; i < effects.size(); i++) {
            checkOne(effects.get(i));
            for (int j = i + 1; j < effects.size(); j++) {
                checkPair(effects.get(i), effects.get(j));
            }
        }
        for (RequestStory request : requests) {
            checkAnswer(request, strangers);
            rules.check(
                    request, all, (guarantee, what, told, around) -> report(guarantee, what, told, around, List.of()));
            for (RequestStory later : requests) {
                if (!request.equals(later)) {
                    checkPair(request, later, strangers);
                }
            }
        }
        return found.values();
    }

    private void checkOne(Effect effect) {
        request(effect)
                .filter(request -> request.isTold(ClientAnswer.NOT_APPLIED) || isKnownToHaveFailed(request))
                .ifPresent(request -> report(
                        Guarantee.G5,
                        "a request got not-executed, so its client will run it again",
                        List.of(request),
                        List.of(effect)));
    }

    private void checkPair(Effect one, Effect two) {
        Optional<RequestStory> first = request(one);
        Optional<RequestStory> second = request(two);
        if (first.filter(request -> request.isTold(ClientAnswer.NOT_APPLIED)).isPresent()
                || second.filter(request -> request.isTold(ClientAnswer.NOT_APPLIED))
                        .isPresent()) {
            return;
        }
        List<RequestStory> both =
                Stream.concat(first.stream(), second.stream()).distinct().toList();
        List<Effect> pair = List.of(one, two);
        if (both.size() == 2 && one.attempt() == two.attempt() && checkSurroundings(both, pair)) {
            return;
        }
        if (one.request().equals(two.request())) {
            report(Guarantee.G8, "one request ran the operation twice", both, pair);
        } else if (one.token() == two.token()) {
            report(Guarantee.G1, "two requests ran under one fencing token", both, pair);
        } else if (one.attempt() == two.attempt()) {
            boolean raced = both.size() < 2 || both.get(0).overlaps(both.get(1));
            report(
                    raced ? Guarantee.G1 : Guarantee.G7,
                    raced
                            ? "two requests owned the key at a time"
                            : "the key was forgotten, and the operation ran again",
                    both,
                    pair);
        } else if ((one.attempt() < two.attempt()) != (one.token() < two.token())) {
            report(Guarantee.G3, "a later attempt has a smaller fencing token", both, pair);
        } else if (transactional) {
            report(Guarantee.G3, "two attempts committed their transactions", both, pair);
        } else if (!mayRunAgain) {
            report(Guarantee.G5, "the operation ran again, though its policy does not allow it", both, pair);
        }
    }

    /** Whether two first attempts are explained by what happened around them. */
    private boolean checkSurroundings(List<RequestStory> both, List<Effect> pair) {
        Optional<Circumstance.Deployed> deployed = surroundings.deployedBetween(both.get(0), both.get(1));
        if (deployed.isPresent() && !both.get(0).overlaps(both.get(1)) && !surroundings.isDecided(key)) {
            report(Guarantee.G11, "a retry ran as a new operation after a deploy", both, List.of(deployed.get()), pair);
            return true;
        }
        Optional<Circumstance.Decided> freed = surroundings.freedBetween(both.get(0), both.get(1));
        freed.ifPresent(decided -> report(
                Guarantee.G5,
                "an attempt ran after it had rightly been said that it did not execute",
                both,
                List.of(decided),
                pair));
        return freed.isPresent();
    }

    private void checkAnswer(RequestStory request, List<KeyChecker> strangers) {
        if (request.hasStoredOutcome() && effects.isEmpty() && !surroundings.isDecided(key)) {
            Optional<RequestStory> source = foreignSource(request, strangers);
            report(
                    source.isPresent() ? Guarantee.G6 : Guarantee.G4,
                    source.isPresent() ? FOREIGN : "an outcome was given of something that never happened",
                    Stream.concat(source.stream(), Stream.of(request)).toList(),
                    List.of());
        }
        if (request.isTold(ClientAnswer.EXPIRED)) {
            report(Guarantee.G7, "the key expired before its time", List.of(request), List.of());
        }
        boolean blocked =
                request.isTold(ClientAnswer.IN_FLIGHT, ClientAnswer.UNKNOWN) && !surroundings.isTouchedDuring(request);
        if (blocked
                && requests.stream().noneMatch(other -> !other.equals(request) && other.beganBeforeTheEndOf(request))) {
            leakOr(Guarantee.G8, "the only request met a claim", request, strangers);
        }
        boolean refused = request.isTold(ClientAnswer.MISMATCH);
        if (refused
                && requests.stream()
                        .allMatch(other -> other.asksTheSameAs(request) || !other.beganBeforeTheEndOf(request))) {
            refusedRetry(request, strangers);
        }
    }

    private void refusedRetry(RequestStory request, List<KeyChecker> strangers) {
        for (RequestStory other : requests) {
            Optional<Circumstance.Deployed> deployed = surroundings.deployedBetween(other, request);
            if (deployed.isPresent() && !request.equals(other)) {
                List<RequestStory> both = List.of(other, request);
                report(Guarantee.G11, "a retry was refused after a deploy", both, List.of(deployed.get()), List.of());
                return;
            }
        }
        leakOr(Guarantee.G2, "a request was refused, though no request asked for anything else", request, strangers);
    }

    /** A request met an obstacle that no request of its own scope can have caused. */
    private void leakOr(Guarantee otherwise, String what, RequestStory request, List<KeyChecker> strangers) {
        Optional<RequestStory> stranger = strangers.stream()
                .flatMap(other -> other.requests.stream())
                .filter(other -> other.beganBeforeTheEndOf(request))
                .findFirst();
        report(
                stranger.isPresent() ? Guarantee.G6 : otherwise,
                what + (stranger.isPresent() ? ": another scope's" : ""),
                Stream.concat(stranger.stream(), Stream.of(request)).toList(),
                List.of());
    }

    private void checkPair(RequestStory first, RequestStory later, List<KeyChecker> strangers) {
        if (!first.hasStoredOutcome()) {
            return;
        }
        List<RequestStory> both = List.of(first, later);
        if (later.hasStoredOutcome() && !Objects.equals(first.payload(), later.payload())) {
            Optional<RequestStory> source = foreignSource(later, strangers);
            if (source.isPresent()) {
                report(Guarantee.G6, FOREIGN, List.of(source.get(), later), List.of());
            } else if (foreignSource(first, strangers).isEmpty()) {
                report(Guarantee.G2, "two requests were given different outcomes", both, List.of());
            }
        } else if (later.hasStoredOutcome() && !first.asksTheSameAs(later) && areComparable(first, later)) {
            report(Guarantee.G2, "a request was given the outcome of a different one", both, List.of());
        } else if (first.isTold(ClientAnswer.EXECUTED) && later.isTold(ClientAnswer.EXECUTED) && mayRunAgain) {
            boolean raced = first.overlaps(later);
            report(
                    raced ? Guarantee.G3 : Guarantee.G2,
                    raced ? "two attempts settled the key" : "the operation ran again instead of being replayed",
                    both,
                    List.of());
        } else if (later.beganAfterTheEndOf(first)
                && first.asksTheSameAs(later)
                && later.isTold(ClientAnswer.IN_FLIGHT, ClientAnswer.UNKNOWN, ClientAnswer.NOT_APPLIED)
                && !surroundings.isTouchedDuring(later)) {
            report(Guarantee.G2, "the key had an outcome, and a later request was not given it", both, List.of());
        }
    }

    /** After a deploy, two replays may be those of a request that was made under other rules than both. */
    private boolean areComparable(RequestStory first, RequestStory later) {
        return first.isTold(ClientAnswer.EXECUTED)
                || later.isTold(ClientAnswer.EXECUTED)
                || !surroundings.haveDeploys();
    }

    /** The request of another scope whose outcome this request was given. */
    private Optional<RequestStory> foreignSource(RequestStory request, List<KeyChecker> strangers) {
        String payload = request.payload();
        if (payload == null || request.isTold(ClientAnswer.EXECUTED)) {
            return Optional.empty();
        }
        return strangers.stream()
                .flatMap(other -> other.requests.stream())
                .filter(other -> payload.equals(other.payload()))
                .findFirst();
    }

    private static boolean isKnownToHaveFailed(RequestStory request) {
        return request.end() != null && request.end().kind() == Kind.FAIL;
    }

    private Optional<RequestStory> request(Effect effect) {
        return requests.stream()
                .filter(request -> request.name().equals(effect.request()))
                .findFirst();
    }

    private void report(Guarantee guarantee, String what, List<RequestStory> told, List<Effect> done) {
        report(guarantee, what, told, List.of(), done);
    }

    /** Keeps the shortest story of each guarantee, and the earliest of equally short ones. */
    private void report(
            Guarantee guarantee,
            String what,
            List<RequestStory> told,
            List<? extends Circumstance> around,
            List<Effect> done) {
        found.merge(
                guarantee,
                Violation.of(guarantee, key, what, told, List.copyOf(around), done),
                (one, other) -> other.story().size() < one.story().size() ? other : one);
    }
}
