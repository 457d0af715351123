package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.TestGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/**
 * Keys do not harm each other. Each store tests that a locked row costs others nothing; here,
 * a key that is lost costs nothing to those it is sent together with, and a call that was given up leaves nothing behind.
 */
public interface G10NoHarm extends TestGroup {

    @Test
    default void leasesThatAreLostCostTheOthersOfTheirRenewalNothing() {
        List<Lease> held = acquire(20);
        List<Lease> lost = new ArrayList<>(acquire(4));
        assertThat(node().release(lost.get(0))).isTrue();
        assertThat(node().abandon(lost.get(1))).isTrue();
        assertThat(node().settle(lost.get(2), DONE)).isTrue();
        assertThat(node().settle(lost.get(3), OTHER)).isTrue();
        List<Renewal> together = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            together.add(new Renewal(held.get(i), LIVE));
            if (i < lost.size()) {
                together.add(new Renewal(lost.get(i), LIVE));
            }
        }

        assertThat(node().renew(together)).containsExactlyInAnyOrderElementsOf(held);
    }

    /** A store that answers immediately has nothing to withdraw. */
    @Test
    default void aClaimThatWasWithdrawnTakesNoEffect() {
        Map<Key, CompletableFuture<Claim>> calls = new LinkedHashMap<>();
        for (Key key : bench().newKeys(50)) {
            calls.put(
                    key,
                    node().store().claim(ClaimTemplate.forKey(key).request()).toCompletableFuture());
        }
        calls.values().forEach(call -> call.cancel(true));

        calls.forEach((key, call) -> {
            if (isWithdrawn(call)) {
                Lease lease = node().acquire(key);
                assertThat(lease.attempt()).isEqualTo(1);
                assertThat(node().settle(lease, DONE)).isTrue();
            }
        });
    }

    private List<Lease> acquire(int count) {
        return bench().newKeys(count).stream().map(key -> node().acquire(key)).toList();
    }

    private static boolean isWithdrawn(CompletableFuture<?> call) {
        if (!call.isDone()) {
            return false;
        }
        try {
            call.join();
            return false;
        } catch (CancellationException underWay) {
            return false;
        } catch (CompletionException e) {
            return e.getCause() instanceof StoreUnavailableException unavailable && unavailable.isNotSent();
        }
    }
}
