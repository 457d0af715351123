package dev.semel.testkit.life;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/** Random stories: calls on a store, in any order. */
public final class Stories {

    private Stories() {}

    /** Stories about this many keys. */
    public static Arbitrary<List<Step>> any(int keys) {
        Arbitrary<Integer> attempt = Arbitraries.integers().between(0, 41);
        Arbitrary<Integer> seconds = Arbitraries.integers().between(1, 5);
        Arbitrary<Integer> window = Arbitraries.integers().between(0, 3);
        Arbitrary<Boolean> either = Arbitraries.of(true, false);
        Arbitrary<Step> send = Combinators.combine(
                        Arbitraries.integers().between(0, keys - 1),
                        Arbitraries.frequency(Tuple.of(10, 0), Tuple.of(2, 1), Tuple.of(1, 2), Tuple.of(1, 3)),
                        either,
                        seconds,
                        window)
                .as(Step.Send::new);
        Arbitrary<Step> settle =
                Combinators.combine(attempt, either, seconds, window, window).as(Step.Settle::new);
        return Arbitraries.frequencyOf(
                        Tuple.of(6, send),
                        Tuple.of(2, attempt.map(Step.SendAgain::new)),
                        Tuple.of(3, settle),
                        Tuple.of(2, Combinators.combine(attempt, seconds).as(Step.Renew::new)),
                        Tuple.of(1, attempt.map(Step.Release::new)),
                        Tuple.of(1, attempt.map(Step.Abandon::new)),
                        Tuple.of(3, Combinators.combine(attempt, window).as(Step.Record::new)),
                        Tuple.of(4, seconds.map(Step.Pass::new)),
                        Tuple.of(
                                3,
                                Combinators.combine(
                                                attempt, Arbitraries.integers().between(0, 2))
                                        .as(Step.Resolve::new)),
                        Tuple.of(1, Arbitraries.just(new Step.Purge())))
                .list()
                .ofMinSize(1)
                .ofMaxSize(80)
                .withSizeDistribution(RandomDistribution.uniform());
    }
}
