package dev.semel.testkit.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Compares a store that has its own implementation of the state machine with {@link dev.semel.spi.life.KeyLife}: both
 * run random stories, and every answer, state and history must be the same.
 *
 * <p>The store is {@link dev.semel.spi.Inspecting} and {@link dev.semel.spi.StepRecording}. Its clock cannot be set, so its keys
 * are made older instead. A story counts in units of 1,000 seconds, so that what a call really takes does not matter.
 */
public abstract class SameLife {

    static final Duration UNIT = Duration.ofSeconds(1000);

    private static final int STORIES = 100;

    /** The rarest difference that a flaw makes is in one of twenty stories. */
    private static final int MOST_STORIES = 1000;

    /** The store under test, opened once. */
    protected abstract KeyStore store();

    /** Puts all times that are kept with the keys of this scope back by this much. */
    protected abstract void age(String scope, Duration duration);

    @Property(tries = STORIES)
    void decidesAsTheStateMachineDoes(@ForAll("stories") List<Step> story) {
        SettableClock clock = newClock();
        compare(new StateMachineStore(clock), clock, story);
    }

    /** Shows that the comparison itself works. */
    @Property
    void everyFlawOfTheStateMachineShows(@ForAll FlawedStateMachine.Flaw flaw) {
        assertThat(stories().sampleStream().limit(MOST_STORIES).anyMatch(story -> shows(flaw, story)))
                .as("%s makes a difference in one of %d stories", flaw, MOST_STORIES)
                .isTrue();
    }

    private boolean shows(FlawedStateMachine.Flaw flaw, List<Step> story) {
        SettableClock clock = newClock();
        try {
            compare(new FlawedStateMachine(clock, flaw), clock, story);
            return false;
        } catch (AssertionError difference) {
            return true;
        }
    }

    private void compare(StateMachineStore java, SettableClock clock, List<Step> story) {
        LifeTwins twins = new LifeTwins(java, clock, store(), this::age);
        story.forEach(twins::perform);
    }

    private static SettableClock newClock() {
        return SettableClock.at(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Provide
    Arbitrary<List<Step>> stories() {
        return Stories.any(LifeTwins.KEYS);
    }
}
