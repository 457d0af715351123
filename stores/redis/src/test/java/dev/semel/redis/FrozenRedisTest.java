package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testservers.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Redis that stands still, and callers that do not wait for it for ever. */
class FrozenRedisTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final int PER_SECOND = 1000;

    /** One batch on each connection. */
    private static final int ON_THE_WIRE = Server.CONNECTIONS * 64;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<CompletableFuture<Claim>> claims = new ArrayList<>();
    private final RedisProcess server = RedisProcess.start();
    private RedisKeyStore store;

    @BeforeEach
    void open() {
        store = open(RedisKeyStore.Builder.QUEUE_LIMIT);
    }

    private RedisKeyStore open(int queueLimit) {
        return RedisKeyStore.builder(server.url())
                .createIfMissing()
                .timeout(TIMEOUT)
                .queueLimit(queueLimit)
                .build();
    }

    @AfterEach
    void close() {
        timer.shutdownNow();
        store.close();
        server.close();
    }

    @Test
    void runsNoClaimWithoutAWaitingCaller() throws Exception {
        claimFor(Duration.ofSeconds(1));
        server.freeze();
        claimFor(Duration.ofSeconds(8));
        server.thaw();

        await().atMost(Duration.ofSeconds(10)).until(() -> claims.stream().allMatch(CompletableFuture::isDone));
        assertThat(Caller.answer(store.claim(Caller.request(Key.of("after", "thaw")))))
                .isInstanceOf(Claim.Acquired.class);
        long told = 1
                + claims.stream()
                        .filter(claim -> !claim.isCompletedExceptionally())
                        .count();
        assertThat(openKeys() - told)
                .as("keys that nobody was told of, of " + claims.size() + " claims")
                .isLessThanOrEqualTo(ON_THE_WIRE);
        assertThat(store.waiting()).isZero();
    }

    @Test
    void refusesAtOnceWhatIsTooMuch() {
        int limit = 400;
        store.close();
        store = open(limit);
        server.freeze();
        for (int i = 0; i < 3 * limit; i++) {
            claims.add(claim("key-" + i));
        }

        List<CompletableFuture<Claim>> refused =
                claims.stream().filter(CompletableFuture::isDone).toList();
        assertThat(claims.size() - refused.size()).isLessThanOrEqualTo(limit / 2 + ON_THE_WIRE);
        assertThat(refused)
                .allSatisfy(claim -> assertThat(failure(claim).isNotSent()).isTrue());

        await().atMost(TIMEOUT.plusSeconds(1)).until(() -> claims.stream().allMatch(CompletableFuture::isDone));
        assertThat(claims.stream().filter(claim -> !failure(claim).isNotSent()))
                .as("claims that may have been carried out")
                .hasSizeLessThanOrEqualTo(ON_THE_WIRE);
        assertThat(store.waiting()).isZero();
        server.thaw();
    }

    @Test
    void takesOutcomesWhereItTakesNoMoreClaims() {
        int limit = 400;
        store.close();
        store = open(limit);
        Caller caller = new Caller(store);
        List<Lease> leases = IntStream.range(0, 100)
                .mapToObj(i -> caller.acquire(Key.of("tenant", "owned-" + i)))
                .toList();
        server.freeze();
        for (int i = 0; i < limit; i++) {
            claims.add(claim("key-" + i));
        }
        List<CompletableFuture<Boolean>> settles = leases.stream()
                .map(lease -> store.settle(lease, Caller.DONE, Caller.DAY).toCompletableFuture())
                .toList();
        server.thaw();

        assertThat(settles)
                .allSatisfy(settle -> assertThat(Caller.answer(settle)).isTrue());
    }

    @Test
    void withdrawsEveryKindOfCallThatWasNotSent() {
        Caller caller = new Caller(store);
        Lease lease = caller.acquire(Key.of("tenant", "owned"));
        server.freeze();
        await().until(() -> {
            claims.add(claim("key-" + claims.size()));
            return claims.stream().anyMatch(claim -> claim.isDone() && failure(claim) != null);
        });
        await().until(() -> {
            store.find(lease.digest());
            store.renew(List.of(new Renewal(lease, Duration.ofHours(1))));
            store.recordStep(lease, "step", new byte[1]);
            return store.waiting() > 0 && isWithdrawn(store.find(lease.digest()));
        });
        assertThat(isWithdrawn(store.release(lease))).isTrue();
        assertThat(isWithdrawn(store.abandon(lease))).isTrue();
        assertThat(isWithdrawn(store.recordStep(lease, "step", new byte[1]))).isTrue();
        assertThat(isWithdrawn(store.renew(List.of(new Renewal(lease, Duration.ofHours(1))))))
                .isTrue();
        assertThat(isWithdrawn(store.settle(lease, Caller.DONE, Caller.DAY))).isTrue();
        assertThat(isWithdrawn(store.resolve(lease.digest(), 1, new Resolution.Release(), "test")))
                .isTrue();
        server.thaw();
    }

    private static boolean isWithdrawn(CompletionStage<?> call) {
        CompletableFuture<?> future = call.toCompletableFuture();
        future.cancel(true);
        return failure(future).isNotSent();
    }

    @Test
    void sendsNothingAgainOnANewConnection() {
        server.freeze();
        for (int i = 0; i < 1000; i++) {
            claims.add(claim("key-" + i));
        }
        claims.forEach(claim -> claim.cancel(true));
        server.kill();
        server.restart();

        await().ignoreExceptions().until(() -> Caller.answer(claim("after")) instanceof Claim.Acquired);
        assertThat(openKeys()).as("what was frozen never got to Redis").isEqualTo(1);
    }

    @Test
    void answersAgainSoonAfterALongOutage() throws Exception {
        server.kill();
        claimFor(Duration.ofSeconds(8));
        server.restart();

        await().atMost(Duration.ofSeconds(2))
                .ignoreExceptions()
                .until(() -> Caller.answer(claim("after")) instanceof Claim.Acquired);
    }

    @Test
    void replacesAConnectionThatSwallowsEverything() {
        try (Switchboard switchboard = new Switchboard(server.port());
                Caller caller = new Caller(RedisKeyStore.builder(switchboard.url())
                        .createIfMissing()
                        .timeout(Duration.ofMillis(500))
                        .build())) {
            caller.acquire(Key.of("tenant", "before"));
            switchboard.swallow();

            await().atMost(Duration.ofSeconds(10)).ignoreExceptions().untilAsserted(() -> {
                for (int bucket = 0; bucket < Names.BUCKETS; bucket++) {
                    assertThat(caller.claim(Caller.keyIn(bucket, 1))).isNotNull();
                }
            });
        }
    }

    private CompletableFuture<Claim> claim(String id) {
        return store.claim(Caller.request(Key.of("tenant", id))).toCompletableFuture();
    }

    private static StoreUnavailableException failure(CompletableFuture<?> call) {
        try {
            call.join();
            throw new AssertionError("it was answered");
        } catch (CompletionException e) {
            return (StoreUnavailableException) e.getCause();
        } catch (CancellationException e) {
            return new StoreUnavailableException("cancelled", e);
        }
    }

    private long openKeys() {
        return Caller.answer(store.statistics()).keys().values().stream()
                .mapToLong(count -> count)
                .sum();
    }

    /** An open load: callers come at their own pace, and each gives up after a second. */
    private void claimFor(Duration time) throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; System.nanoTime() - start < time.toNanos(); i++) {
            CompletableFuture<Claim> claim = claim("key-" + claims.size());
            claims.add(claim);
            timer.schedule(() -> claim.cancel(true), 1, TimeUnit.SECONDS);
            long early = start + i * TimeUnit.SECONDS.toNanos(1) / PER_SECOND - System.nanoTime();
            if (early > 0) {
                TimeUnit.NANOSECONDS.sleep(early);
            }
        }
    }
}
