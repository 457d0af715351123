package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The identity of an operation, across deploys and beside other operations. */
class IdentityTest extends EngineFixture {

    private static final Retention MONTH = new Retention(Duration.ofDays(30), Duration.ofDays(7), Duration.ofDays(365));

    @Test
    void twoOperationsThatShareAKeyDoNotReplayEachOther() {
        Semel semel = engine();
        semel.operation(Policy.external("ship").build(), OutcomeCodec.text()).run(KEY, BODY, attempt -> "shipped");

        Execution<String> cancel = semel.operation(Policy.external("cancel").build(), OutcomeCodec.text())
                .run(KEY, BODY, attempt -> "cancelled");

        assertThat(cancel).isInstanceOf(Execution.Mismatched.class);
    }

    @Test
    void aRetryOfARenamedOperationIsReplayed() {
        engine().operation(Policy.external("pay").build(), OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());
        ExternalPolicy renamed = Policy.external("charge").formerly("pay").build();
        ExternalPolicy renamedTwice =
                Policy.external("capture").formerly("pay", "charge").build();

        assertThat(engine().operation(renamed, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
        assertThat(engine().operation(renamedTwice, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
        assertThat(engine().operation(Policy.external("pay").build(), OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .as("on a node of the release before")
                .isEqualTo("receipt 1");
    }

    @Test
    void aRetryUnderOtherRulesIsReplayed() {
        ExternalPolicy policy = Policy.external("pay").build();
        Fingerprint before = Fingerprint.of("1", "EUR").withRules("amount", "currency");
        Fingerprint after = Fingerprint.of("1").withRules("amount");
        engine().operation(policy, OutcomeCodec.text()).run(KEY, before, attempt -> charge());

        Execution<String> retry =
                engine().operation(policy, OutcomeCodec.text()).run(KEY, after, attempt -> charge());

        assertThat(retry.get()).isEqualTo("receipt 1");
    }

    @Test
    void maintenanceResolvesAKeyByAFormerNameOfItsOperation() {
        claimAndDie(Policy.external("pay").build());
        Semel semel = engine(
                store,
                builder ->
                        builder.policy(Policy.external("charge").formerly("pay").build()));

        semel.maintain().toCompletableFuture().join();

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void aReconcilerIsAskedAboutAKeyByAFormerNameOfItsOperation() {
        claimAndDie(Policy.external("pay").build());
        ExternalPolicy renamed = Policy.external("charge")
                .formerly("pay")
                .recovery(Recovery.RECONCILE)
                .build();
        Semel semel = engine(
                store,
                builder -> builder.policy(renamed)
                        .reconciler(
                                "charge",
                                lapsed ->
                                        CompletableFuture.completedStage(new Reconciler.Verdict.Done(Outcome.succeeded()
                                                .payload(lapsed.operation())
                                                .build()))));

        semel.maintain().toCompletableFuture().join();

        assertThat(semel.operation(renamed, OutcomeCodec.text())
                        .run(KEY, BODY, attempt -> charge())
                        .get())
                .isEqualTo("charge");
    }

    /** Resolved while it is unknown, where the engine no longer owns it. */
    @Test
    void whatAReconcilerFindsOutIsKeptAsTheClaimSaid() {
        ExternalPolicy before = Policy.external("pay").retention(MONTH).build();
        assertThat(store.abandon(claimElsewhere(before))).isCompletedWithValue(true);
        ExternalPolicy now = Policy.external("pay").recovery(Recovery.RECONCILE).build();
        Semel semel = engine(
                store,
                builder -> builder.policy(now)
                        .reconciler(
                                "pay",
                                lapsed -> CompletableFuture.completedStage(new Reconciler.Verdict.Done(
                                        Outcome.succeeded().build()))));

        semel.maintain().toCompletableFuture().join();

        KeyRecord record = store.find(KEY.digest()).toCompletableFuture().join().orElseThrow();
        assertThat(record.expiresAt()).isEqualTo(clock.instant().plus(MONTH.active()));
        clock.advance(MONTH.active().plusDays(1));
        assertThat(semel.operation(now, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(Execution.Expired.class);
    }

    /** What breaks the replay later is not stored. */
    @Test
    void anInvalidVerdictOfAReconcilerCountsAsCannotTell() {
        ExternalPolicy policy =
                Policy.external("pay").recovery(Recovery.RECONCILE).build();
        claimAndDie(policy);
        Semel semel = engine(
                store,
                builder -> builder.policy(policy)
                        .reconciler(
                                "pay",
                                lapsed -> CompletableFuture.completedStage(new Reconciler.Verdict.Done(
                                        Outcome.succeeded().status(999).build()))));

        semel.maintain().toCompletableFuture().join();

        assertThat(state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void refusesTwoPoliciesThatDifferUnderOneName() {
        Semel semel = engine();
        semel.operation(Policy.external("pay").build());
        ExternalPolicy other = Policy.external("pay")
                .recovery(Recovery.FAIL)
                .retention(Duration.ofDays(30))
                .build();

        assertThatThrownBy(() -> semel.operation(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"pay\"")
                .hasMessageContaining("recovery HOLD and FAIL")
                .hasMessageContaining("retention");
        assertThatThrownBy(() -> semel.operation(other, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(effects).hasValue(0);
    }

    @Test
    void refusesAPolicyUnderAFormerNameOfAnother() {
        Semel semel = engine();
        semel.operation(Policy.external("charge").formerly("pay").build());

        assertThatThrownBy(() -> semel.operation(Policy.external("pay").build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"pay\"")
                .hasMessageContaining("name charge and pay");
        assertThatThrownBy(() -> semel.operation(
                        Policy.external("refund").formerly("pay").build()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesToStartWithTwoPoliciesThatDifferUnderOneName() {
        assertThatThrownBy(() -> Semel.builder(store)
                        .policy(Policy.external("pay").build())
                        .policy(Policy.external("pay")
                                .lease(Duration.ofSeconds(5))
                                .build())
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lease PT30S and PT5S");
    }

    /** Front ends build a policy for a bean or even for a call. */
    @Test
    void acceptsPoliciesThatAreBuiltAlike() {
        Semel semel = engine();
        semel.operation(Policy.external("pay").refused(outcome -> false).build());

        assertThatCode(() -> {
                    semel.operation(Policy.external("pay")
                            .refused(outcome -> outcome.status() == 429)
                            .build());
                    semel.operation(Policy.external("pay")
                            .duplicates(Duplicates.waitFor(Duration.ofSeconds(1)))
                            .build());
                })
                .doesNotThrowAnyException();
    }
}
