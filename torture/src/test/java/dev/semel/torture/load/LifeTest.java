package dev.semel.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.torture.server.Ledger;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LifeTest {

    private static final Key KEY = Key.of("alice", "key");
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private Ledger ledger;

    @BeforeEach
    void open() throws IOException {
        ledger = new Ledger();
        ledger.countRequestsBy(() -> 1);
    }

    @AfterEach
    void close() throws IOException {
        ledger.close();
    }

    @Test
    void goesOnWhenItsOutcomeHasExpired() {
        Life life = ExpiringLife.first(KEY, new ExpiringLife.Times(ledger, HOUR, 2 * HOUR, 0));
        assertThat(life.begin()).isTrue();
        assertThat(life.untilNext()).as("its outcome is not known").isNull();

        life.settled();
        life.end(true);

        assertThat(life.untilNext()).isBetween(HOUR, 2 * HOUR);
        assertThat(life.judged()).isEqualTo(KEY);
        assertThat(life.next().judged()).isEqualTo(Key.of("alice", "key#1"));
    }

    @Test
    void hasATombstoneBeforeItGoesOn() {
        Life life = ExpiringLife.first(KEY, new ExpiringLife.Times(ledger, 0, 0, HOUR));
        life.begin();
        life.settled();
        life.end(true);

        Life tombstone = life.next();

        assertThat(tombstone.isTombstone()).isTrue();
        assertThat(Life.isTombstone(tombstone.judged())).isTrue();
        assertThat(tombstone.begin()).isTrue();
        tombstone.end(true);
        assertThat(tombstone.untilNext()).isBetween(HOUR / 2, HOUR);
        assertThat(tombstone.next().judged()).isEqualTo(Key.of("alice", "key#1"));
    }

    @Test
    void doesNotGoOnAfterARequestWithoutAnAnswer() {
        Life life = ExpiringLife.first(KEY, new ExpiringLife.Times(ledger, HOUR, HOUR, 0));
        life.begin();
        life.settled();

        life.end(false);

        assertThat(life.untilNext()).isNull();
    }

    @Test
    void waitsForRequestsThatAreUnderWay() {
        Life life = ExpiringLife.first(KEY, new ExpiringLife.Times(ledger, HOUR, 0, 0));
        life.begin();
        life.settled();

        assertThat(life.untilNext()).isPositive();
    }

    @Test
    void takesNoRequestWhoseKeyMayHaveExpired() {
        Life life = ExpiringLife.first(KEY, new ExpiringLife.Times(ledger, -HOUR, HOUR, 0));

        assertThat(life.begin()).isFalse();
        assertThat(life.isOver()).isTrue();
    }
}
