package dev.semel.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Recovery;
import dev.semel.testkit.history.History.ClientAnswer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker's verdicts on histories in which keys, operations, operators and deploys interact. */
class CompositionRulesTest {

    private static final HistoryChecker HOLDS = HistoryChecker.ofExternalEffects(Recovery.HOLD);
    private static final Key KEY = Key.of("shop", "order-1");
    private static final Key CHILD = Key.of("shop", "charge-of-order-1");
    private static final Key OTHER = Key.of("shop", "order-2");
    private static final Outcome PAID = Outcome.succeeded().payload("paid").build();
    private static final Outcome DECLINED = Outcome.failed().payload("declined").build();
    private static final Outcome STORE_DOWN =
            Outcome.failed().payload("StoreUnavailableException").build();

    private final History history = new History();
    private final List<Effect> ledger = new ArrayList<>();

    @Test
    void findsNothingWhereAllKeepToTheRules() {
        invoke("parent", KEY);
        history.nested(KEY, CHILD);
        run("child", CHILD, 1, PAID);
        effect("parent", KEY, 2, PAID);
        history.ok("parent", ClientAnswer.EXECUTED, PAID);
        history.held(OTHER);
        run("beside it", Key.of("shop", "order-3"), 3, PAID);
        invoke("held", OTHER);
        history.ok("held", ClientAnswer.IN_FLIGHT, null);
        history.freed(OTHER);
        history.deployed("release 2");
        replay("retry", KEY, PAID);
        history.calm();
        run("last", OTHER, 4, DECLINED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void noticesAStoredOutcomeThatIsNotTheOperationsOwn() {
        invoke("a", KEY);
        effect("a", KEY, 1, PAID);
        history.unknown("a");
        replay("b", KEY, STORE_DOWN);

        assertThat(only(Guarantee.G9).what()).contains("not the operation's own");
    }

    @Test
    void acceptsTheOutcomeThatAnOperatorDecided() {
        invoke("a", KEY);
        effect("a", KEY, 1, PAID);
        history.unknown("a");
        invoke("never ran", OTHER);
        history.unknown("never ran");
        history.decided(KEY, PAID);
        history.decided(OTHER, DECLINED);
        replay("b", KEY, PAID);
        replay("c", OTHER, DECLINED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void noticesAParentThatContradictsItsChild() {
        invoke("parent", KEY);
        history.nested(KEY, CHILD);
        effect("parent", KEY, 2, DECLINED);
        history.ok("parent", ClientAnswer.EXECUTED, DECLINED);
        run("child", CHILD, 1, PAID);

        Violation violation = only(Guarantee.G9);
        assertThat(violation.what()).contains("contradicts");
        assertThat(violation.story()).hasSize(4);
    }

    @Test
    void noticesALeaseThatLapsesBecauseOfAnotherKey() {
        invoke("a", KEY);
        effect("a", KEY, 1, PAID);
        history.held(OTHER);
        history.lapsed("a");
        history.freed(OTHER);
        history.ok("a", ClientAnswer.EXECUTED, PAID);

        assertThat(only(Guarantee.G10).story()).hasSize(4);
    }

    @Test
    void noticesARequestThatWaitsForAnotherKey() {
        history.held(OTHER);
        invoke("a", KEY);
        history.waited("a");
        history.freed(OTHER);
        effect("a", KEY, 1, PAID);
        history.ok("a", ClientAnswer.EXECUTED, PAID);

        assertThat(only(Guarantee.G10).what()).contains("waited while another key was held");
    }

    @Test
    void aRequestMayWaitForItsOwnKey() {
        invoke("a", KEY);
        history.held(KEY);
        history.waited("a");
        history.lapsed("a");
        history.freed(KEY);
        history.ok("a", ClientAnswer.IN_FLIGHT, null);

        assertThat(violations()).isEmpty();
    }

    @Test
    void noticesAKeyThatIsNotRunAndCannotBeClaimed() {
        invoke("never runs", KEY);
        history.unknown("never runs");
        history.calm();
        invoke("retry", KEY);
        history.ok("retry", ClientAnswer.IN_FLIGHT, null);

        assertThat(only(Guarantee.G10).what()).contains("does not run any more");
    }

    @Test
    void noticesAClaimWithoutAWaitingCaller() {
        invoke("given up", KEY);
        history.fail("given up");
        history.calm();
        invoke("retry", KEY);
        history.ok("retry", ClientAnswer.UNKNOWN, null);

        assertThat(only(Guarantee.G10).what()).contains("no request had ever begun");
    }

    @Test
    void noticesARetryThatIsRefusedAfterADeploy() {
        run("a", KEY, 1, PAID);
        history.deployed("release 2");
        invoke("retry", KEY);
        history.ok("retry", ClientAnswer.MISMATCH, null);

        assertThat(only(Guarantee.G11).story()).hasSize(5).anyMatch(line -> line.contains("release 2"));
    }

    @Test
    void noticesARetryThatRunsAgainAfterADeploy() {
        run("a", KEY, 1, PAID);
        history.deployed("release 2");
        run("retry", KEY, 2, PAID);

        assertThat(only(Guarantee.G11).what()).contains("ran as a new operation");
    }

    @Test
    void aDecisionThatWasForgottenIsNoMatterOfTheDeploy() {
        invoke("a", KEY);
        effect("a", KEY, 1, PAID);
        history.unknown("a");
        history.decided(KEY, PAID);
        history.deployed("release 2");
        run("much later", KEY, 2, PAID);

        only(Guarantee.G7);
    }

    @Test
    void noticesAnAttemptThatRunsAfterItWasSaidThatItDidNot() {
        invoke("waits for a thread", KEY);
        history.decided(KEY, null);
        run("retry", KEY, 2, PAID);
        effect("waits for a thread", KEY, 1, PAID);
        history.unknown("waits for a thread");

        assertThat(only(Guarantee.G5).what()).contains("rightly been said");
    }

    @Test
    void anAttemptWhoseKeyWasResolvedGetsInFlight() {
        invoke("waits for a thread", KEY);
        history.decided(KEY, null);
        history.ok("waits for a thread", ClientAnswer.IN_FLIGHT, null);

        assertThat(violations()).isEmpty();
    }

    @Test
    void tellsWhatHappenedAroundTheRequests() {
        run("a", KEY, 1, PAID);
        history.deployed("release 2");
        run("b", KEY, 2, PAID);

        assertThatThrownBy(() -> HOLDS.assertHolds(history.events(), history.circumstances(), ledger))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("G11", "release 2", "effect of b");
    }

    private List<Violation> violations() {
        return HOLDS.check(history.events(), history.circumstances(), ledger);
    }

    private Violation only(Guarantee guarantee) {
        List<Violation> violations = violations();
        assertThat(violations).extracting(Violation::guarantee).containsExactly(guarantee);
        return violations.get(0);
    }

    private void invoke(String request, Key key) {
        history.invoke(request, key, Fingerprint.of("body"));
    }

    private void run(String request, Key key, long token, Outcome outcome) {
        invoke(request, key);
        effect(request, key, token, outcome);
        history.ok(request, ClientAnswer.EXECUTED, outcome);
    }

    private void replay(String request, Key key, Outcome outcome) {
        invoke(request, key);
        history.ok(request, ClientAnswer.REPLAYED, outcome);
    }

    private void effect(String request, Key key, long token, Outcome outcome) {
        ledger.add(new Effect(key, request, 1, token));
        history.ended(key, outcome);
    }
}
