package dev.semel.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.policy.Recovery;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.history.History.ClientAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryCheckerTest {

    private static final HistoryChecker HOLDS = HistoryChecker.ofExternalEffects(Recovery.HOLD);
    private static final HistoryChecker RUNS_AGAIN = HistoryChecker.ofExternalEffects(Recovery.RE_EXECUTE);
    private static final HistoryChecker COMMITS = HistoryChecker.ofTransactions();
    private static final Key KEY = Key.of("shop", "order-1");
    private static final Key STRANGER = Key.of("other shop", "order-1");
    private static final Fingerprint OTHER = Fingerprint.of("another body");
    private static final String BODY_DIGEST = ClaimTemplate.BODY
            .toString()
            .substring(ClaimTemplate.BODY.toString().length() - 10);
    private static final Outcome PAID = Outcome.succeeded().payload("paid").build();
    private static final Outcome DECLINED = Outcome.failed().payload("declined").build();

    private final History history = new History();
    private final List<Effect> ledger = new ArrayList<>();

    @Test
    void findsNothingInACleanHistory() {
        invoke("a");
        invoke("b");
        effect("a", 1, 10);
        history.ok("b", ClientAnswer.IN_FLIGHT, null);
        history.ok("a", ClientAnswer.EXECUTED, PAID);
        invoke("c");
        history.ok("c", ClientAnswer.REPLAYED, PAID);
        history.invoke("d", KEY, OTHER);
        history.ok("d", ClientAnswer.MISMATCH, null);
        history.invoke("e", STRANGER, OTHER);
        ledger.add(new Effect(STRANGER, "e", 1, 11));
        history.ok("e", ClientAnswer.EXECUTED, DECLINED);
        invoke("still running");

        for (HistoryChecker checker : List.of(HOLDS, RUNS_AGAIN, COMMITS)) {
            assertThat(checker.check(history.events(), ledger)).isEmpty();
            assertThatCode(() -> checker.assertHolds(history.events(), ledger)).doesNotThrowAnyException();
        }
    }

    @Test
    void findsNothingWhenAnOwnerDiesAndItsKeyIsHeld() {
        invoke("dies");
        effect("dies", 1, 10);
        history.unknown("dies");
        invoke("retry");
        history.ok("retry", ClientAnswer.UNKNOWN, null);

        assertThat(HOLDS.check(history.events(), ledger)).isEmpty();
    }

    @Test
    void findsNothingWhenASecondRunIsAllowed() {
        invoke("dies");
        effect("dies", 1, 10);
        history.unknown("dies");
        invoke("retry");
        effect("retry", 2, 11);
        history.ok("retry", ClientAnswer.EXECUTED, PAID);

        assertThat(RUNS_AGAIN.check(history.events(), ledger)).isEmpty();
    }

    @Test
    void findsNothingWhenARequestThatWasNotAppliedIsSentAgain() {
        invoke("refused");
        history.ok("refused", ClientAnswer.NOT_APPLIED, null);
        invoke("failed");
        history.fail("failed");
        invoke("retry");
        effect("retry", 1, 12);
        history.ok("retry", ClientAnswer.EXECUTED, PAID);

        assertThat(HOLDS.check(history.events(), ledger)).isEmpty();
    }

    @Test
    void noticesTwoOwners() {
        invoke("bystander");
        invoke("a");
        invoke("b");
        history.ok("bystander", ClientAnswer.IN_FLIGHT, null);
        effect("a", 1, 10);
        effect("b", 1, 11);
        history.ok("a", ClientAnswer.EXECUTED, PAID);
        history.unknown("b");

        Violation violation = onlyViolation(HOLDS, Guarantee.G1);
        assertThat(violation.story())
                .containsExactly(
                        "#1 a INVOKE shop/order-1 body " + BODY_DIGEST,
                        "#2 b INVOKE shop/order-1 body " + BODY_DIGEST,
                        "#4 a OK EXECUTED " + history.events().get(4).payload(),
                        "#5 b UNKNOWN",
                        "effect of a, attempt 1, token 10",
                        "effect of b, attempt 1, token 11");
    }

    @Test
    void noticesTwoOwnersOfOneLease() {
        invoke("a");
        effect("a", 1, 10);
        history.unknown("a");
        invoke("b");
        effect("b", 2, 10);
        history.unknown("b");

        onlyViolation(RUNS_AGAIN, Guarantee.G1);
    }

    @Test
    void noticesAnotherOutcomeOnReplay() {
        executed("a", 10);
        replayed("b", PAID);
        replayed("c", DECLINED);

        assertThat(onlyViolation(HOLDS, Guarantee.G2).story()).hasSize(4);
    }

    @Test
    void noticesASettledKeyThatIsInFlightAgain() {
        executed("a", 10);
        invoke("b");
        history.ok("b", ClientAnswer.IN_FLIGHT, null);

        assertThat(onlyViolation(HOLDS, Guarantee.G2).what()).contains("was not given it");
    }

    @Test
    void noticesTheOutcomeOfADifferentRequest() {
        executed("a", 10);
        history.invoke("b", KEY, OTHER);
        history.ok("b", ClientAnswer.REPLAYED, PAID);

        assertThat(onlyViolation(HOLDS, Guarantee.G2).what()).contains("different one");
    }

    @Test
    void noticesARetryThatIsRefused() {
        executed("a", 10);
        invoke("b");
        history.ok("b", ClientAnswer.MISMATCH, null);

        assertThat(onlyViolation(HOLDS, Guarantee.G2).what()).contains("refused");
    }

    @Test
    void noticesASecondRunOfASettledKey() {
        executed("a", 10);
        invoke("b");
        effect("b", 2, 11);
        history.ok("b", ClientAnswer.EXECUTED, PAID);

        assertThat(onlyViolation(RUNS_AGAIN, Guarantee.G2).what()).contains("instead of being replayed");
    }

    @Test
    void noticesAZombieThatSettles() {
        invoke("stalls");
        effect("stalls", 1, 10);
        invoke("takes over");
        effect("takes over", 2, 11);
        history.ok("takes over", ClientAnswer.EXECUTED, PAID);
        history.ok("stalls", ClientAnswer.EXECUTED, PAID);

        assertThat(onlyViolation(RUNS_AGAIN, Guarantee.G3).what()).contains("two attempts settled");
    }

    @Test
    void noticesAZombieThatCommits() {
        invoke("stalls");
        invoke("takes over");
        effect("takes over", 2, 11);
        history.ok("takes over", ClientAnswer.EXECUTED, PAID);
        effect("stalls", 1, 10);
        history.unknown("stalls");

        assertThat(onlyViolation(COMMITS, Guarantee.G3).what()).contains("committed");
    }

    @Test
    void noticesATokenThatShrinks() {
        invoke("dies");
        effect("dies", 1, 10);
        history.unknown("dies");
        invoke("takes over");
        effect("takes over", 2, 9);
        history.ok("takes over", ClientAnswer.EXECUTED, PAID);

        assertThat(onlyViolation(RUNS_AGAIN, Guarantee.G3).what()).contains("smaller fencing token");
    }

    @Test
    void noticesAnOutcomeOfNothing() {
        invoke("a");
        history.unknown("a");
        replayed("b", PAID);

        assertThat(onlyViolation(HOLDS, Guarantee.G4).story()).hasSize(2);
    }

    @Test
    void noticesASilentSecondRun() {
        invoke("dies");
        effect("dies", 1, 10);
        history.unknown("dies");
        invoke("retry");
        effect("retry", 2, 11);
        history.ok("retry", ClientAnswer.EXECUTED, PAID);

        assertThat(onlyViolation(HOLDS, Guarantee.G5).story()).hasSize(6);
    }

    @Test
    void noticesAnEffectOfARequestThatWasAnsweredNotApplied() {
        invoke("refused");
        effect("refused", 1, 10);
        history.ok("refused", ClientAnswer.NOT_APPLIED, null);

        onlyViolation(HOLDS, Guarantee.G5);
    }

    @Test
    void noticesAnEffectOfARequestThatFailed() {
        invoke("failed");
        effect("failed", 1, 10);
        history.fail("failed");

        onlyViolation(HOLDS, Guarantee.G5);
    }

    @Test
    void noticesAnotherScopesOutcome() {
        executed("mine", 10);
        history.invoke("yours", STRANGER, ClaimTemplate.BODY);
        ledger.add(new Effect(STRANGER, "yours", 1, 11));
        history.ok("yours", ClientAnswer.EXECUTED, DECLINED);
        replayed("retry of mine", DECLINED);

        Violation violation = onlyViolation(HOLDS, Guarantee.G6);
        assertThat(violation.story()).hasSize(4).anyMatch(line -> line.contains("other shop"));
    }

    @Test
    void noticesAnotherScopesOutcomeWhereNothingWasDone() {
        history.invoke("yours", STRANGER, ClaimTemplate.BODY);
        ledger.add(new Effect(STRANGER, "yours", 1, 11));
        history.ok("yours", ClientAnswer.EXECUTED, PAID);
        replayed("mine", PAID);

        onlyViolation(HOLDS, Guarantee.G6);
    }

    @Test
    void noticesARequestThatAnotherScopeBlocks() {
        history.invoke("yours", STRANGER, ClaimTemplate.BODY);
        invoke("mine");
        history.ok("mine", ClientAnswer.IN_FLIGHT, null);

        onlyViolation(HOLDS, Guarantee.G6);
    }

    @Test
    void noticesARequestThatAnotherScopesBodyRefuses() {
        history.invoke("yours", STRANGER, OTHER);
        invoke("mine");
        history.ok("mine", ClientAnswer.MISMATCH, null);

        onlyViolation(HOLDS, Guarantee.G6);
    }

    @Test
    void noticesAForgottenKey() {
        executed("a", 10);
        executed("much later", 11);

        assertThat(onlyViolation(HOLDS, Guarantee.G7).what()).contains("forgotten");
    }

    @Test
    void noticesAForgottenClaim() {
        invoke("dies");
        effect("dies", 1, 10);
        history.unknown("dies");
        executed("retry", 11);

        onlyViolation(HOLDS, Guarantee.G7);
    }

    @Test
    void noticesAKeyThatExpiresTooSoon() {
        executed("a", 10);
        invoke("b");
        history.ok("b", ClientAnswer.EXPIRED, null);

        onlyViolation(HOLDS, Guarantee.G7);
    }

    @Test
    void noticesARepeatedCallThatRunsAgain() {
        invoke("a");
        effect("a", 1, 10);
        effect("a", 2, 11);
        history.ok("a", ClientAnswer.EXECUTED, PAID);

        onlyViolation(RUNS_AGAIN, Guarantee.G8);
    }

    @Test
    void noticesARequestThatIsBlockedByItself() {
        invoke("a");
        history.ok("a", ClientAnswer.IN_FLIGHT, null);
        executed("b", 10);

        onlyViolation(HOLDS, Guarantee.G8);
    }

    @Test
    void tellsTheStoryInItsError() {
        invoke("a");
        effect("a", 1, 10);
        effect("a", 2, 11);

        assertThatThrownBy(() -> HOLDS.assertHolds(history.events(), ledger))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("1 violation(s)", "G8", "shop/order-1", "effect of a, attempt 2, token 11");
    }

    @Test
    void aHistoryNotesExecutions() {
        OutcomeCodec<String> text = OutcomeCodec.text();
        List<Execution<String>> executions = List.of(
                new Execution.Executed<>("paid", PAID, 1, Execution.Durability.STORED),
                new Execution.Executed<>("paid", PAID, 1, Execution.Durability.NOT_CONFIRMED),
                new Execution.Replayed<>(PAID, Instant.EPOCH, Instant.EPOCH, text),
                new Execution.InFlight<>(Duration.ZERO, Duration.ZERO),
                new Execution.LeaseLost<>(Duration.ZERO, Duration.ZERO),
                new Execution.Mismatched<>(),
                new Execution.Unknown<>(),
                new Execution.Expired<>());
        for (int i = 0; i < executions.size(); i++) {
            invoke("r" + i);
            history.ok("r" + i, executions.get(i));
        }

        assertThat(history.events())
                .filteredOn(event -> event.kind() == History.Kind.OK)
                .extracting(History.Event::answer)
                .containsExactly(
                        ClientAnswer.EXECUTED,
                        ClientAnswer.EXECUTED_UNSETTLED,
                        ClientAnswer.REPLAYED,
                        ClientAnswer.IN_FLIGHT,
                        ClientAnswer.IN_FLIGHT,
                        ClientAnswer.MISMATCH,
                        ClientAnswer.UNKNOWN,
                        ClientAnswer.EXPIRED);
        assertThat(history.events().get(1).payload())
                .isEqualTo(history.events().get(5).payload());
    }

    @Test
    void aHistoryRefusesWhatCannotHaveHappened() {
        invoke("a");
        assertThatThrownBy(() -> invoke("a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another name");
        assertThatThrownBy(() -> history.unknown("b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("b has not been invoked");
        List<History.Event> withoutStart = List.of(history.events().get(0), answered("c"));
        assertThatThrownBy(() -> HOLDS.check(withoutStart, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("request c");
    }

    private static History.Event answered(String request) {
        return new History.Event(7, History.Kind.FAIL, request, KEY, ClaimTemplate.BODY, null, null);
    }

    private Violation onlyViolation(HistoryChecker checker, Guarantee guarantee) {
        List<Violation> violations = checker.check(history.events(), ledger);
        assertThat(violations).extracting(Violation::guarantee).containsExactly(guarantee);
        return violations.get(0);
    }

    private void invoke(String request) {
        history.invoke(request, KEY, ClaimTemplate.BODY);
    }

    private void executed(String request, long token) {
        invoke(request);
        effect(request, 1, token);
        history.ok(request, ClientAnswer.EXECUTED, PAID);
    }

    private void replayed(String request, Outcome outcome) {
        invoke(request);
        history.ok(request, ClientAnswer.REPLAYED, outcome);
    }

    private void effect(String request, int attempt, long token) {
        ledger.add(new Effect(KEY, request, attempt, token));
    }
}
