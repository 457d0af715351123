package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.TestGroup;
import org.junit.jupiter.api.Test;

/** G3's other half: the fencing token only ever grows for a key, whatever ended the life before. */
public interface TokensAndAttempts extends TestGroup {

    @Test
    default void theTokenGrowsWithEachTakeoverAndSoDoesTheAttempt() {
        Lease lease = node().acquireBriefly(key());
        for (int attempt = 2; attempt <= 4; attempt++) {
            bench().pass();
            Lease next = bench().newNode()
                    .acquire(ClaimTemplate.forKey(key()).withLease(SHORT).takingOver());

            assertThat(next.token()).isGreaterThan(lease.token());
            assertThat(next.attempt()).isEqualTo(attempt);
            lease = next;
        }
    }

    @Test
    default void theTokenGrowsAcrossARelease() {
        Lease lease = node().acquire(key());
        for (int i = 0; i < 5; i++) {
            assertThat(node().release(lease)).isTrue();
            lease = nextLife(key(), lease);
        }
    }

    @Test
    default void theTokenGrowsAcrossAReleaseOfATakeover() {
        lapsed(key());
        Lease second = node().takenOver(key());
        assertThat(node().release(second)).isTrue();

        nextLife(key(), second);
    }

    @Test
    default void theTokenGrowsAcrossExpiry() {
        Lease lease = node().settled(key(), DONE, BRIEF);
        bench().pass();

        nextLife(key(), lease);
    }

    @Test
    default void theTokenGrowsAcrossPurge() {
        Lease lease = node().settled(key(), DONE, BRIEF);
        bench().pass();
        while (node().purge(1000).more()) {
            // the next round removes the rest
        }

        nextLife(key(), lease);
    }

    @Test
    default void theTokenGrowsAcrossAResolutionThatForgets() {
        Lease lease = lapsed(key());
        assertThat(node().resolve(lease, new Resolution.Release())).isTrue();

        nextLife(key(), lease);
    }

    @Test
    default void theTokenGrowsAcrossAResolutionThatSettlesAndExpires() {
        Lease lease =
                node().acquire(ClaimTemplate.forKey(key()).withLease(SHORT).keptFor(BRIEF));
        bench().pass();
        assertThat(node().resolve(lease, new Resolution.Settle(DONE))).isTrue();
        bench().pass();

        nextLife(key(), lease);
    }

    /** The attempt counts within one life of a key; the token does not start again. */
    private Lease nextLife(Key key, Lease former) {
        Lease next = bench().newNode().acquire(key);
        assertThat(next.token()).isGreaterThan(former.token());
        assertThat(next.attempt()).isEqualTo(1);
        return next;
    }
}
