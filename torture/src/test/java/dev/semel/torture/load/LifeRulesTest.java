package dev.semel.torture.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.semel.Key;
import dev.semel.testkit.history.Effect;
import dev.semel.testkit.history.Guarantee;
import dev.semel.testkit.history.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifeRulesTest {

    @Test
    void findsATokenThatIsNotLargerInALaterLife() {
        assertThat(check(effect("key", 7), effect("key#1", 8), effect("key#2", 8)))
                .extracting(Violation::guarantee, violation -> violation.key().value())
                .containsExactly(tuple(Guarantee.G3, "key#2"));
    }

    @Test
    void leavesTheTokensOfOneLifeToTheChecker() {
        assertThat(check(effect("key", 7), effect("key", 6), effect("other", 1), effect("key#1", 8)))
                .isEmpty();
    }

    @Test
    void findsAnEffectDespiteATombstone() {
        assertThat(check(effect("key", 7), effect("key#0-tombstone", 8)))
                .extracting(Violation::guarantee)
                .containsExactly(Guarantee.G7);
    }

    private static List<Violation> check(Effect... effects) {
        return LifeRules.check(List.of(), List.of(effects));
    }

    private static Effect effect(String key, long token) {
        return new Effect(Key.of("alice", key), "r1", 1, token);
    }
}
