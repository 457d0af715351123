package dev.semel.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/**
 * Callers that claim and settle while servers of the store are killed, and remember which writes were acknowledged. A call that
 * finds the store unavailable is sent again as it was.
 */
public final class CrashLoad implements AutoCloseable {

    private static final int CALLERS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final KeyStore store;
    private final Map<Long, Boolean> settled = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong settles = new AtomicLong();
    private final AtomicLong repeated = new AtomicLong();
    private final AtomicLong largestToken = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(CALLERS);
    private volatile boolean stop;

    private CrashLoad(KeyStore store) {
        this.store = store;
    }

    public static CrashLoad start(KeyStore store) {
        CrashLoad load = new CrashLoad(store);
        for (int i = 0; i < CALLERS; i++) {
            new Thread(load::run, "caller-" + i).start();
        }
        return load;
    }

    /** Waits until so many more settles are acknowledged. */
    public void awaitSettles(int count) {
        long before = settles.get();
        Awaitility.await().atMost(PATIENCE).until(() -> {
            assertThat(wrong).isEmpty();
            return settles.get() >= before + count;
        });
    }

    /** How many calls were sent again because the store was unavailable. */
    public long repeated() {
        return repeated.get();
    }

    /** The largest fencing token of an acknowledged claim. */
    public long largestToken() {
        return largestToken.get();
    }

    private void run() {
        try {
            while (!stop) {
                claimAndSettle(next.getAndIncrement());
            }
        } catch (RuntimeException | AssertionError e) {
            wrong.add(e.toString());
        } finally {
            ended.countDown();
        }
    }

    private void claimAndSettle(long number) {
        ClaimRequest request = NumberedKeys.claim(number);
        Claim claim = untilAnswered(() -> store.claim(request));
        if (!(claim instanceof Claim.Acquired acquired)) {
            wrong.add("no one else claims key " + number + ", but the answer was " + claim);
            return;
        }
        settled.put(number, false);
        largestToken.accumulateAndGet(acquired.lease().token(), Math::max);
        if (untilAnswered(() -> store.settle(acquired.lease(), NumberedKeys.outcome(number), NumberedKeys.RETENTION))) {
            settled.put(number, true);
            settles.incrementAndGet();
        } else {
            wrong.add("no one else claims key " + number + ", but its lease was lost");
        }
    }

    private <T> T untilAnswered(Supplier<CompletionStage<T>> call) {
        long begun = System.nanoTime();
        while (true) {
            try {
                return call.get().toCompletableFuture().join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof StoreUnavailableException)
                        || System.nanoTime() - begun > PATIENCE.toNanos()) {
                    throw e;
                }
                repeated.incrementAndGet();
            }
        }
    }

    /** Ends the load, and checks that everything that was acknowledged is there. */
    public void verify() throws InterruptedException {
        stop = true;
        assertThat(ended.await(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(wrong).isEmpty();
        NumberedKeys.verify(store, settled);
    }

    @Override
    public void close() {
        stop = true;
    }
}
