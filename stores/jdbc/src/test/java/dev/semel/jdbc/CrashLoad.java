package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.Claim;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/** Claims and settles that go on while somebody kills the server, and what was acknowledged of them. */
final class CrashLoad {

    private static final int IN_FLIGHT = 64;

    private final JdbcKeyStore store;
    private final Semaphore places = new Semaphore(IN_FLIGHT);
    private final Set<Long> claimed = ConcurrentHashMap.newKeySet();
    private final Set<Long> settled = ConcurrentHashMap.newKeySet();
    private final Set<String> wrong = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong largestToken = new AtomicLong();
    private final Thread thread = new Thread(this::run, "load");

    private CrashLoad(JdbcKeyStore store) {
        this.store = store;
    }

    static CrashLoad start(JdbcKeyStore store) {
        CrashLoad load = new CrashLoad(store);
        load.thread.start();
        return load;
    }

    void awaitSettles(int count) {
        int before = settled.size();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> settled.size() >= before + count);
    }

    long largestToken() {
        return largestToken.get();
    }

    private void run() {
        while (!stop.get()) {
            long number = next.getAndIncrement();
            places.acquireUninterruptibly();
            store.claim(CrashingNode.claim(number))
                    .thenCompose(claim -> {
                        Claim.Acquired acquired = (Claim.Acquired) claim;
                        claimed.add(number);
                        largestToken.accumulateAndGet(acquired.lease().token(), Math::max);
                        return store.settle(
                                acquired.lease(),
                                Outcome.succeeded()
                                        .payload(CrashingNode.payload(number))
                                        .build(),
                                Retention.of(Duration.ofHours(1)));
                    })
                    .whenComplete((held, failure) -> {
                        if (failure == null && held) {
                            settled.add(number);
                        } else {
                            wrong.add(number + ": " + held + " " + failure);
                        }
                        places.release();
                    });
        }
    }

    /** Ends the load, and checks that everything that was acknowledged is there. */
    void verify() throws InterruptedException {
        stop.set(true);
        thread.join();
        assertThat(places.tryAcquire(IN_FLIGHT, 1, TimeUnit.MINUTES)).isTrue();
        assertThat(wrong).isEmpty();
        assertThat(claimed).containsAll(settled);
        for (long number : claimed) {
            Claim claim = store.claim(CrashingNode.claim(number))
                    .toCompletableFuture()
                    .join();
            if (settled.contains(number)) {
                assertThat(((Claim.Settled) claim).outcome().payload()).isEqualTo(CrashingNode.payload(number));
            } else {
                assertThat(claim).isInstanceOfAny(Claim.InFlight.class, Claim.Settled.class);
            }
        }
    }
}
