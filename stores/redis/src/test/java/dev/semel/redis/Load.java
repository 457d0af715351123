package dev.semel.redis;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Callers that run operations on one node until they are told to stop, and try again what they have run before. When
 * the store is unavailable they send the same call again, as the engine does.
 */
final class Load implements AutoCloseable {

    private static final int CALLERS = 4;

    private final Caller node;
    private final String scope = "tenant-" + UUID.randomUUID();
    private final Map<Key, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final AtomicInteger finished = new AtomicInteger();
    private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch ended = new CountDownLatch(CALLERS);
    private volatile boolean stopping;

    Load(Caller node) {
        this.node = node;
        for (int i = 0; i < CALLERS; i++) {
            int number = i;
            new Thread(() -> run(number), "load-" + i).start();
        }
    }

    /** How many operations were settled so far. */
    int finished() {
        return finished.get();
    }

    /** Why claims were refused: Redis had lost its memory. */
    Collection<String> refusals() {
        return refusals;
    }

    /** The keys whose effect happened, and how often. */
    Map<Key, AtomicInteger> effects() {
        return effects;
    }

    private void run(int number) {
        try {
            List<Key> done = new ArrayList<>();
            Random random = new Random(number);
            for (int i = 0; !stopping; i++) {
                Key key = Key.of(scope, number + "-" + i);
                execute(key);
                done.add(key);
                execute(done.get(random.nextInt(done.size())));
            }
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        } finally {
            ended.countDown();
        }
    }

    private void execute(Key key) {
        ClaimRequest request = Caller.request(key);
        while (!stopping) {
            try {
                if (Caller.answer(node.store().claim(request)) instanceof Claim.Acquired acquired) {
                    effects.computeIfAbsent(key, same -> new AtomicInteger()).incrementAndGet();
                    settle(acquired.lease());
                }
                return;
            } catch (MemoryLostException e) {
                refusals.add(e.getMessage());
                return;
            } catch (StoreUnavailableException e) {
                // Sent again with the same nonce, it finds itself if it did arrive.
                continue;
            }
        }
    }

    private void settle(Lease lease) {
        while (!stopping) {
            try {
                if (node.settle(lease)) {
                    finished.incrementAndGet();
                }
                return;
            } catch (StoreUnavailableException e) {
                continue;
            }
        }
    }

    /** Ends the load, and throws what a caller did not expect. */
    @Override
    public void close() {
        stopping = true;
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure.get() != null) {
            throw new AssertionError("a caller failed", failure.get());
        }
    }
}
