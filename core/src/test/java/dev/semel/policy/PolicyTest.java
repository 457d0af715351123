package dev.semel.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PolicyTest {

    @Test
    void defaultsAreThoseOfTheMode() {
        assertThat(Policy.external("o").build().recovery()).isEqualTo(Recovery.HOLD);
        assertThat(Policy.transactional("o").build().recovery()).isEqualTo(Recovery.RE_EXECUTE);
        assertThat(Policy.singleTransaction("o").build().mode()).isEqualTo(Mode.SINGLE_TRANSACTION);
        assertThat(Policy.external("o").build().whenStoreIsDown()).isEqualTo(WhenStoreIsDown.CLOSED);
    }

    @Test
    void copiesEverything() {
        ExternalPolicy policy = Policy.external("o")
                .lease(Duration.ofSeconds(5))
                .retention(Retention.of(Duration.ofHours(2)).withAudit(Duration.ofDays(7)))
                .duplicates(Duplicates.accepted())
                .recovery(Recovery.FAIL)
                .whenStoreIsDown(WhenStoreIsDown.OPEN)
                .maxPayload(7)
                .keepBriefly(outcome -> outcome.status() == 422, Duration.ofMinutes(5))
                .build();
        assertThat(policy.toBuilder().build()).isEqualTo(policy);
    }

    @Test
    void keepsSomeOutcomesForAShorterTime() {
        Retention retention =
                Retention.of(Duration.ofHours(2)).withAudit(Duration.ofDays(7)).withTombstone(Duration.ofDays(1));
        ExternalPolicy policy = Policy.external("o")
                .retention(retention)
                .keepBriefly(outcome -> outcome.status() == 422, Duration.ofMinutes(5))
                .build();
        Outcome refusal = Outcome.failed().status(422).build();

        assertThat(policy.retentionOf(refusal))
                .isEqualTo(new Retention(Duration.ofMinutes(5), Duration.ofDays(7), Duration.ofDays(1)));
        assertThat(policy.retentionOf(Outcome.succeeded().status(201).build())).isEqualTo(retention);
        assertThat(policy.toBuilder().retention(Duration.ofMinutes(1)).build().retentionOf(refusal))
                .isEqualTo(Retention.of(Duration.ofMinutes(1)));
        assertThatThrownBy(() -> Policy.external("o")
                        .keepBriefly(outcome -> true, Duration.ZERO)
                        .build())
                .hasMessageContaining("brief retention must be positive");
    }

    @Test
    void refusesALeaseThatIsTooShortOrLongerThanTheRetention() {
        assertThatThrownBy(() -> Policy.external("o").lease(Duration.ZERO).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lease must be at least PT0.2S, got PT0S");
        assertThatThrownBy(
                        () -> Policy.external("o").lease(Duration.ofSeconds(-1)).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got PT-1S");
        assertThatThrownBy(() -> Policy.external("pay")
                        .lease(Duration.ofMinutes(2))
                        .retention(Duration.ofMinutes(1))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT2M")
                .hasMessageContaining("\"pay\"")
                .hasMessageContaining("PT1M");
    }

    @Test
    void refusesDurationsThatMakeNoSense() {
        assertThatThrownBy(() -> Retention.of(Duration.ZERO)).hasMessageContaining("retention must be positive");
        assertThatThrownBy(() -> Retention.of(Duration.ofDays(40_000))).hasMessageContaining("at most 36500 days");
        assertThatThrownBy(() -> Retention.of(Duration.ofDays(1)).withAudit(Duration.ofDays(-1)))
                .hasMessageContaining("audit window must not be negative, got PT-24H");
        assertThatThrownBy(() -> Retention.of(Duration.ofDays(1)).withTombstone(Duration.ofDays(-1)))
                .hasMessageContaining("tombstone window");
        assertThatThrownBy(() -> Duplicates.waitFor(Duration.ZERO)).hasMessageContaining("wait limit");
    }

    @Test
    void refusesAnEmptyOrOverlongNameAndASillyLimit() {
        assertThatThrownBy(() -> Policy.external("").build()).hasMessage("operation name must not be empty");
        assertThatThrownBy(() -> Policy.external("x".repeat(256)).build()).hasMessageContaining("at most 255");
        assertThatThrownBy(() -> Policy.external("o").maxPayload(-1).build()).hasMessageContaining("got -1");
        assertThatThrownBy(
                        () -> Policy.external("o").maxPayload(Integer.MAX_VALUE).build())
                .hasMessageContaining("67108864");
    }

    @Test
    void refusesWhatAModeCannotDo() {
        assertThatThrownBy(() -> Policy.transactional("o")
                        .whenStoreIsDown(WhenStoreIsDown.OPEN)
                        .build())
                .hasMessageContaining("TRANSACTIONAL");
        assertThatThrownBy(() ->
                        Policy.singleTransaction("o").recovery(Recovery.HOLD).build())
                .hasMessageContaining("must have recovery RE_EXECUTE, got HOLD");
    }

    @Test
    void retentionEndsWithTheLongerOfAuditAndTombstone() {
        Retention retention = Retention.of(Duration.ofHours(1));
        assertThat(retention.total()).isEqualTo(Duration.ofHours(1));
        assertThat(retention.withAudit(Duration.ofHours(2)).total()).isEqualTo(Duration.ofHours(3));
        assertThat(retention
                        .withAudit(Duration.ofHours(2))
                        .withTombstone(Duration.ofHours(5))
                        .total())
                .isEqualTo(Duration.ofHours(6));
        assertThat(retention.leavesTombstone()).isFalse();
    }

    @Test
    void isKnownByTheOldestOfItsNames() {
        assertThat(Policy.external("charge").build().identity()).isEqualTo("charge");
        ExternalPolicy renamed =
                Policy.external("capture").formerly("pay", "charge").build();
        assertThat(renamed.identity()).isEqualTo("pay");
        assertThat(renamed.toBuilder().build()).isEqualTo(renamed);
    }

    @Test
    void refusesItsOwnNameOrNoneAsAFormerOne() {
        assertThatThrownBy(() -> Policy.external("pay").formerly("pay").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"pay\"");
        assertThatThrownBy(() -> Policy.external("pay").formerly("").build())
                .isInstanceOf(IllegalArgumentException.class);
    }
}
