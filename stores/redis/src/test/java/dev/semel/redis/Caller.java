package dev.semel.redis;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** Calls a store and waits for its answers. */
record Caller(RedisKeyStore store) implements AutoCloseable {

    static final Outcome DONE = Outcome.succeeded().payload("done").build();
    static final Retention DAY = Retention.of(Duration.ofDays(1));

    Claim claim(Key key) {
        return answer(store.claim(request(key)));
    }

    Lease acquire(Key key) {
        if (claim(key) instanceof Claim.Acquired acquired) {
            return acquired.lease();
        }
        throw new AssertionError("did not acquire " + key);
    }

    boolean settle(Lease lease) {
        return answer(store.settle(lease, DONE, DAY));
    }

    /** Whether each of the store's connections leads to a master. */
    boolean isConnected() {
        try {
            for (long bucket = 0; bucket < Server.CONNECTIONS; bucket++) {
                answer(store.find(new KeyDigest(bucket << 60, 0)));
            }
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    static ClaimRequest request(Key key) {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(Duration.ofHours(1))
                .build();
    }

    /** Waits, and throws what the store failed with. */
    static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw e;
        }
    }

    /** A key of this bucket; another one for each number. */
    static Key keyIn(int bucket, int number) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> Key.of("tenant-" + number, "key-" + i))
                .filter(key -> Names.bucketOf(key.digest()) == bucket)
                .findFirst()
                .orElseThrow();
    }

    /** What the marker of a bucket of the store "semel" is called in Redis. */
    static String marker(int bucket) {
        return new String(new Names("semel").marker(bucket), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        store.close();
    }
}
