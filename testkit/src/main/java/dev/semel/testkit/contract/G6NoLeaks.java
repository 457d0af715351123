package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.TestGroup;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A key belongs to a scope; no scope can see, block or learn of another's keys. */
public interface G6NoLeaks extends TestGroup {

    @Test
    default void theSameValueInTwoScopesNamesTwoOperations() {
        Key mine = Key.of(bench().scope(), "order-1");
        Key yours = Key.of(bench().scope() + "'", "order-1");

        areStrangers(mine, yours);
    }

    @Test
    default void theSameKeyInTwoNamespacesNamesTwoOperations() {
        Key first = new Namespace(1, "payments").key(bench().scope(), "order-1");
        Key nextVersion = new Namespace(2, "payments").key(bench().scope(), "order-1");
        Key otherName = new Namespace(1, "refunds").key(bench().scope(), "order-1");

        areStrangers(first, nextVersion);
        areStrangers(otherName, new Namespace(12, "payments").key(bench().scope(), "order-1"));
    }

    @Test
    default void scopeAndValueAreNotRunTogether() {
        areStrangers(Key.of(bench().scope() + ":a", "b"), Key.of(bench().scope(), "a:b"));
        areStrangers(Key.of(bench().scope() + "c", "d"), Key.of(bench().scope(), "cd"));
    }

    @Test
    default void anotherScopesFingerprintDoesNotMatter() {
        Key mine = Key.of(bench().scope(), "order-2");
        Key yours = Key.of(bench().scope() + "'", "order-2");
        node().acquire(mine);

        node().acquire(ClaimTemplate.forKey(yours).withBody(ClaimTemplate.OTHER_BODY));
    }

    /** A mismatch says nothing else: neither whether the key is in flight, nor what it ended with. */
    @Test
    default void anotherRequestWithAPendingKeyOnlyGetsTheMismatch() {
        node().acquire(key());

        isMismatch(key());
    }

    @Test
    default void anotherRequestWithASettledKeyOnlyGetsTheMismatch() {
        node().settled(key(), DONE, KEPT);

        isMismatch(key());
    }

    @Test
    default void anotherRequestWithALapsedKeyOnlyGetsTheMismatch() {
        Lease lease = lapsed(key());

        isMismatch(key());

        assertThat(node().settle(lease, DONE)).isTrue();
    }

    @Test
    default void anotherRequestWithAnUnknownKeyOnlyGetsTheMismatch() {
        unknown(key());

        isMismatch(key());
    }

    @Test
    default void anExpiredKeyMayBeReusedForAnotherRequest() {
        node().settled(key(), DONE, BRIEF);
        bench().pass();

        node().acquire(ClaimTemplate.forKey(key()).withBody(ClaimTemplate.OTHER_BODY));

        assertThat(node().claim(key())).isInstanceOf(Claim.Mismatch.class);
    }

    @Test
    default void aReleasedKeyMayBeReusedForAnotherRequest() {
        assertThat(node().release(node().acquire(key()))).isTrue();

        node().acquire(ClaimTemplate.forKey(key()).withBody(ClaimTemplate.OTHER_BODY));

        assertThat(node().claim(key())).isInstanceOf(Claim.Mismatch.class);
    }

    /** While two releases run side by side, a retry that the other one fingerprints must not be refused. */
    @Test
    default void fingerprintsOfDifferentVersionsNeverMismatch() {
        Fingerprint old = Fingerprint.of(7, new byte[] {1});
        Fingerprint recent = Fingerprint.of(8, new byte[] {2});
        Key pending = bench().newKey();
        Key settled = bench().newKey();
        node().acquire(ClaimTemplate.forKey(pending).withBody(old));
        Lease lease = node().acquire(ClaimTemplate.forKey(settled).withBody(old));
        assertThat(node().settle(lease, DONE)).isTrue();

        assertThat(node().claim(ClaimTemplate.forKey(pending).withBody(recent))).isInstanceOf(Claim.InFlight.class);
        assertThat(node().claim(ClaimTemplate.forKey(settled).withBody(recent))).isInstanceOf(Claim.Settled.class);
    }

    @Test
    default void keysThatLookAlikeAreDifferentKeys() {
        String alike = "a|A|a | a|a\u00a0|à|a\u0300|\u00e0|ß|ss|SS|ı|i|I|İ|%|_|*|'|''|\"|\\|\\\\|{a}|a:b|a/b"
                + "|null|0|00|\u200b|\u200b\u200b|\ufeffa|שלום|\u202eabc|日本語"
                + "|\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67|\uD83D\uDC68|\uDBFF\uDFFD";
        List<Key> keys =
                Stream.of(alike.split("\\|")).distinct().map(bench()::key).toList();

        areKeptApart(keys);
    }

    @Test
    default void aKeyOfOneCharacterAndOneOfMaximalLengthAreKept() {
        String longest = "\uD83D\uDE00".repeat(Key.MAX_LENGTH);
        String otherEnd = "\uD83D\uDE00".repeat(Key.MAX_LENGTH - 1) + "\uD83D\uDE01";
        List<Key> keys = List.of(
                Key.of("s", "k"),
                Key.of("s", longest),
                Key.of("s", otherEnd),
                Key.of(longest, "k"),
                Key.of(otherEnd, "k"),
                Key.of(longest, longest));

        areKeptApart(keys);
    }

    private void areKeptApart(List<Key> keys) {
        keys.forEach(key -> node().settled(key, named(key), KEPT));

        keys.forEach(key -> assertThat(node().replay(key).outcome()).isEqualTo(named(key)));
    }

    private static Outcome named(Key key) {
        return Outcome.succeeded().payload(key.toString()).build();
    }

    private void isMismatch(Key key) {
        ClaimTemplate other = ClaimTemplate.forKey(key).withBody(ClaimTemplate.OTHER_BODY);
        assertThat(node().claim(other)).isInstanceOf(Claim.Mismatch.class);
        assertThat(bench().newNode().claim(other.takingOver())).isInstanceOf(Claim.Mismatch.class);
    }

    private void areStrangers(Key mine, Key yours) {
        Lease pending = node().acquire(mine);
        Lease settled = node().settled(yours, OTHER, KEPT);
        assertThat(node().claim(mine)).isInstanceOf(Claim.InFlight.class);
        assertThat(node().settle(new Lease(mine.digest(), settled.nonce(), settled.token(), 1), OTHER))
                .isFalse();

        assertThat(node().settle(pending, DONE)).isTrue();

        assertThat(node().replay(mine).outcome()).isEqualTo(DONE);
        assertThat(node().replay(yours).outcome()).isEqualTo(OTHER);
    }
}
