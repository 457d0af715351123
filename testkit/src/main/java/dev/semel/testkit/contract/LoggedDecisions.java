package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.KeyDigest;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.DecisionLog.Entry;
import dev.semel.spi.DecisionLog.Person;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A decision is stored with the name of its operator, and only if it was applied. */
public interface LoggedDecisions extends TestGroup {

    Person ALICE = new Person("Alice \u00c5 <alice@example.org>", "192.0.2.7");

    @Test
    default void aDecisionIsKeptWithWhoMadeIt() {
        DecisionLog log = node().require(DecisionLog.class);
        Lease lease = unknown(key());
        Entry entry = entry(lease.digest())
                .key("charge", lease.token())
                .change("unknown", "succeeded 201")
                .reason("found in the ledger:\n\tch_1 \\ 'x'")
                .build();

        assertThat(resolve(log, lease, new Resolution.Settle(OTHER), entry)).isTrue();

        assertThat(node().replay(key()).outcome()).isEqualTo(OTHER);
        Entry kept = only(log, lease.digest());
        assertThat(kept.id()).isPositive();
        assertThat(kept.at()).isAfter(java.time.Instant.EPOCH);
        assertThat(kept.by()).isEqualTo(ALICE);
        assertThat(kept.action()).isEqualTo("resolve");
        assertThat(kept.operation()).isEqualTo("charge");
        assertThat(kept.token()).isEqualTo(lease.token());
        assertThat(kept.before()).isEqualTo("unknown");
        assertThat(kept.after()).isEqualTo("succeeded 201");
        assertThat(kept.reason()).isEqualTo(entry.reason());
    }

    @Test
    default void aReleaseIsKeptAlthoughNothingIsLeftOfItsKey() {
        DecisionLog log = node().require(DecisionLog.class);
        Lease lease = unknown(key());

        assertThat(resolve(
                        log,
                        lease,
                        new Resolution.Release(),
                        entry(lease.digest()).build()))
                .isTrue();

        assertThat(node().acquire(key()).attempt()).isEqualTo(1);
        assertThat(only(log, lease.digest()).by()).isEqualTo(ALICE);
    }

    @Test
    default void aDecisionThatWasNotAppliedLeavesNoEntry() {
        DecisionLog log = node().require(DecisionLog.class);
        Lease lease = unknown(key());
        Lease other = new Lease(lease.digest(), lease.nonce(), lease.token() + 1, lease.attempt());

        assertThat(resolve(
                        log,
                        other,
                        new Resolution.Release(),
                        entry(lease.digest()).build()))
                .isFalse();

        assertThat(node().state(key())).isEqualTo(KeyState.UNKNOWN);
        assertThat(entries(log, lease.digest().toString(), 0, 10)).isEmpty();
    }

    @Test
    default void theLatestEntriesComeFirstAndPageByTheirIds() {
        DecisionLog log = node().require(DecisionLog.class);
        String subject = "sha256:" + bench().newKey().digest();
        for (int i = 0; i < 5; i++) {
            StoreNode.answer(log.add(
                    Entry.builder("erase", subject, new Person("n" + i, null)).build()));
        }

        List<Entry> first = entries(log, subject, 0, 3);
        List<Entry> second = entries(log, subject, first.get(2).id(), 3);

        assertThat(first).extracting(each -> each.by().name()).containsExactly("n4", "n3", "n2");
        assertThat(second).extracting(each -> each.by().name()).containsExactly("n1", "n0");
        assertThat(second.get(0).by().address()).isNull();
        assertThat(entries(log, null, 0, 1)).hasSize(1);
    }

    private static Entry.Builder entry(KeyDigest digest) {
        return Entry.builder("resolve", digest.toString(), ALICE);
    }

    private static boolean resolve(DecisionLog log, Lease lease, Resolution resolution, Entry entry) {
        return StoreNode.answer(log.resolve(lease.digest(), lease.token(), resolution, "looked", entry));
    }

    private static Entry only(DecisionLog log, KeyDigest digest) {
        List<Entry> entries = entries(log, digest.toString(), 0, 10);
        assertThat(entries).hasSize(1);
        return entries.get(0);
    }

    private static List<Entry> entries(DecisionLog log, @Nullable String subject, long before, int limit) {
        return StoreNode.answer(log.entries(subject, before, limit));
    }
}
