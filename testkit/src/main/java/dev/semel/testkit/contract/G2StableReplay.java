package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import dev.semel.testkit.race.RaceTester;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Once a key is settled, every later request with the same fingerprint gets the same outcome, byte for byte. */
public interface G2StableReplay extends TestGroup {

    @Test
    default void everyNodeReplaysTheSameOutcome() {
        Lease lease = node().settled(key(), DONE, KEPT);

        Claim.Settled first = node().replay(key());
        assertThat(first.outcome()).isEqualTo(DONE);
        assertThat(first.token()).isEqualTo(lease.token());
        for (StoreNode other : bench().nodes(3)) {
            assertThat(other.replay(key())).isEqualTo(first);
        }
    }

    @Test
    default void aFailedOutcomeIsReplayedAsWell() {
        node().settled(key(), OTHER, KEPT);

        assertThat(node().replay(key()).outcome()).isEqualTo(OTHER);
    }

    @Test
    default void aTakingOverRequestIsGivenTheStoredOutcome() {
        node().settled(key(), DONE, KEPT);

        assertThat(node().takeOver(key())).isInstanceOf(Claim.Settled.class);
    }

    @Test
    default void theFirstOutcomeStays() {
        Lease lease = node().settled(key(), DONE, KEPT);

        node().settle(lease, OTHER);

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    /** No reader may see the key in flight again, or another outcome, after anybody has seen it settled. */
    @Test
    default void readersNeverSeeASettledKeyInAnyOtherState() {
        List<StoreNode> nodes = bench().nodes(3);
        for (Key key : bench().newKeys(5)) {
            Lease lease = node().acquire(key);

            List<List<Claim>> seen = RaceTester.race(6, i -> {
                if (i == 0) {
                    assertThat(nodes.get(0).settle(lease, DONE)).isTrue();
                    return List.of(nodes.get(0).claim(key));
                }
                List<Claim> claims = new ArrayList<>();
                do {
                    claims.add(nodes.get(i % 3).claim(key));
                } while (claims.get(claims.size() - 1) instanceof Claim.InFlight);
                claims.add(nodes.get((i + 1) % 3).claim(key));
                return claims;
            });

            Claim.Settled settled = node().replay(key);
            assertThat(settled.outcome()).isEqualTo(DONE);
            for (List<Claim> claims : seen) {
                assertThat(claims.get(claims.size() - 1)).isEqualTo(settled);
                assertThat(claims).allMatch(claim -> claim instanceof Claim.InFlight || claim.equals(settled));
            }
        }
    }

    @Test
    default void keepsAnEmptyPayload() {
        replaysExactly(Outcome.succeeded().status(204).payload(new byte[0]).build());
    }

    @Test
    default void keepsAPayloadThatWasNotKeptApartFromAnEmptyOne() {
        replaysExactly(Outcome.succeeded().status(200).payload((byte[]) null).build());
    }

    @Test
    default void keepsEveryByteValue() {
        byte[] payload = new byte[512];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) i;
        }
        replaysExactly(Outcome.succeeded().payload(payload).build());
    }

    @Test
    default void keepsAMebibyte() {
        byte[] payload = new byte[1 << 20];
        new Random(42).nextBytes(payload);
        replaysExactly(Outcome.succeeded().payload(payload).build());
    }

    @Test
    default void keepsHeadersInOrderWithRepeatedNames() {
        List<Header> headers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            headers.add(new Header("X-Custom-" + i, "value " + i));
            headers.add(new Header("Link", "<https://example.org/" + i + ">; rel=\"next\""));
        }
        headers.add(new Header("x-empty", ""));
        headers.add(new Header("X-Odd", "Übergröße, \"quoted\": 日本語 \uD83D\uDE00 \\ ' \t ;"));
        replaysExactly(Outcome.succeeded().headers(headers).build());
    }

    @Test
    default void keepsStatusFormatAndContentType() {
        replaysExactly(Outcome.failed()
                .status(599)
                .format(Short.MAX_VALUE)
                .contentType("text/plain; charset=\"utf-8\"")
                .payload("no")
                .build());
    }

    @Test
    default void keepsAnOutcomeThatIsNoResponse() {
        replaysExactly(Outcome.failed().format(0).contentType(null).build());
    }

    private void replaysExactly(Outcome outcome) {
        Key key = bench().newKey();
        node().settled(key, outcome, KEPT);

        Outcome replayed = bench().newNode().replay(key).outcome();

        assertThat(replayed).isEqualTo(outcome);
        assertThat(replayed.payload()).isEqualTo(outcome.payload());
    }
}
