package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging.Purged;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testservers.RedisProcess;
import io.lettuce.core.FlushMode;
import io.lettuce.core.Range;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisKeyStoreTest {

    private static final Key KEY = Key.of("tenant", "order-1");
    private static final String RECORD = new String(new Names("semel").record(KEY.digest()), StandardCharsets.US_ASCII);

    private final RedisProcess redis = RedisProcess.start();
    private final Caller node =
            new Caller(RedisKeyStore.builder(redis.url()).createIfMissing().build());

    @AfterEach
    void close() {
        node.close();
        redis.close();
    }

    @Test
    void onlyASettledKeyHasATimeToLiveBeyondItsRetention() {
        Lease lease = node.acquire(KEY);
        assertThat(ttl()).isEqualTo(-1);
        Caller.answer(node.store().abandon(lease));
        assertThat(ttl()).isEqualTo(-1);

        Retention retention = Retention.of(Duration.ofDays(1)).withTombstone(Duration.ofDays(2));
        Caller.answer(node.store().settle(lease, Caller.DONE, retention));

        assertThat(ttl()).isGreaterThan(Duration.ofDays(3).toMillis());
    }

    @Test
    void aReusedKeyHasNoTimeToLive() {
        Caller.answer(node.store().settle(node.acquire(KEY), Caller.DONE, Retention.of(Duration.ofNanos(1))));
        assertThat(ttl()).isPositive();

        node.acquire(KEY);

        assertThat(ttl()).isEqualTo(-1);
    }

    /** What Redis has removed by itself is still in the index, and goes from there with the next purge. */
    @Test
    void purgeTidiesUpAfterATimeToLive() {
        Caller.answer(node.store().settle(node.acquire(KEY), Caller.DONE, Retention.of(Duration.ofNanos(1))));
        redis.ask(server -> server.del(RECORD));

        assertThat(Caller.answer(node.store().purge(10))).isEqualTo(new Purged(0, false));

        String index = Caller.marker(Names.bucketOf(KEY.digest())).replace("marker-4", "index");
        long left = redis.ask(server -> server.zcount(index, Range.create(0, Double.MAX_VALUE)));
        assertThat(left).isZero();
    }

    /** A key whose operation never ends is taken over again and again. */
    @Test
    void ofALongHistoryTheMiddleIsLeftOut() {
        int attempts = 100;
        for (int i = 0; i < attempts; i++) {
            ClaimRequest request = ClaimRequest.builder(KEY, "charge", Fingerprint.of("body"))
                    .lease(Duration.ofNanos(1000))
                    .takeOver(true)
                    .build();
            assertThat(Caller.answer(node.store().claim(request))).isInstanceOf(Claim.Acquired.class);
        }

        List<Integer> noted = Caller.answer(node.store().find(KEY.digest())).orElseThrow().history().stream()
                .map(HistoryEntry::attempt)
                .toList();

        assertThat(noted)
                .isEqualTo(IntStream.concat(IntStream.rangeClosed(1, 5), IntStream.range(50, attempts))
                        .boxed()
                        .toList());
    }

    /** Calls that travel together do not fail together. */
    @Test
    void aDamagedRecordFailsAlone() {
        redis.ask(server -> server.lpush(RECORD, "spoilt"));

        List<CompletionStage<Claim>> claims = IntStream.range(0, 400)
                .mapToObj(i -> node.store().claim(Caller.request(i == 200 ? KEY : Key.of("tenant", "other-" + i))))
                .toList();

        assertThatThrownBy(() -> Caller.answer(claims.get(200)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("WRONGTYPE");
        assertThat(claims.stream().filter(claim -> claim != claims.get(200)).map(Caller::answer))
                .allMatch(Claim.Acquired.class::isInstance);
    }

    /** Each call must find what those before it in the same batch have done. */
    @Test
    void callsForTheSameKeyMayTravelTogether() {
        int keys = 20;
        List<CompletionStage<Claim>> claims = IntStream.range(0, 400)
                .mapToObj(i -> node.store().claim(Caller.request(Key.of("tenant", "order-" + i % keys))))
                .toList();
        List<Lease> leases = claims.stream()
                .map(Caller::answer)
                .filter(Claim.Acquired.class::isInstance)
                .map(claim -> ((Claim.Acquired) claim).lease())
                .toList();
        assertThat(leases).hasSize(keys).extracting(Lease::digest).doesNotHaveDuplicates();

        List<CompletionStage<Boolean>> settles = IntStream.range(0, 3)
                .boxed()
                .flatMap(i -> leases.stream())
                .map(lease -> node.store().settle(lease, Caller.DONE, Retention.of(Duration.ofNanos(1))))
                .toList();
        List<CompletionStage<Claim>> next = leases.stream()
                .map(lease -> node.store().claim(Caller.request(keyOf(lease, keys))))
                .toList();

        assertThat(settles.stream().map(Caller::answer)).containsOnly(true);
        for (int i = 0; i < keys; i++) {
            Claim claim = Caller.answer(next.get(i));
            assertThat(claim).isInstanceOf(Claim.Acquired.class);
            assertThat(((Claim.Acquired) claim).lease().token())
                    .isGreaterThan(leases.get(i).token());
        }
        assertThat(Caller.answer(node.store().purge(1000)).removed()).isZero();
    }

    private static Key keyOf(Lease lease, int keys) {
        return IntStream.range(0, keys)
                .mapToObj(i -> Key.of("tenant", "order-" + i))
                .filter(key -> key.digest().equals(lease.digest()))
                .findFirst()
                .orElseThrow();
    }

    /** Where it cannot be loaded scripts are used, so a mistake in it would go unnoticed. */
    @Test
    void theLibraryIsLoadedWhereFunctionsAreKnown() {
        List<Map<String, Object>> libraries = redis.ask(server -> server.functionList());

        assertThat(libraries).hasSize(1);
    }

    @Test
    void aServerThatForgetsItsFunctionsIsGivenThemAgain() {
        Lease lease = node.acquire(KEY);
        redis.ask(server -> server.functionFlush(FlushMode.SYNC));

        assertThat(node.settle(lease)).isTrue();
    }

    @Test
    void aServerThatForgetsItsScriptsIsGivenThemAgain() {
        try (Caller scripted =
                new Caller(RedisKeyStore.builder(redis.url()).functions(false).build())) {
            Lease lease = scripted.acquire(KEY);
            redis.ask(server -> server.scriptFlush());

            assertThat(scripted.settle(lease)).isTrue();
        }
    }

    @Test
    void nodesWithFunctionsAndWithScriptsWorkSideBySide() {
        try (Caller scripted =
                new Caller(RedisKeyStore.builder(redis.url()).functions(false).build())) {
            Lease lease = scripted.acquire(KEY);
            assertThat(node.claim(KEY)).isInstanceOf(Claim.InFlight.class);
            assertThat(node.settle(lease)).isTrue();
            assertThat(scripted.claim(KEY)).isInstanceOf(Claim.Settled.class);
        }
    }

    /** Loading the library is forbidden to many users of managed services. */
    @Test
    void scriptsAreUsedByAUserWhoMayNotLoadFunctions() {
        redis.ask(server -> server.dispatch(
                CommandType.ACL,
                new StatusOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8)
                        .add("SETUSER")
                        .add("app")
                        .add("on")
                        .add(">secret")
                        .add("~semel:*")
                        .add("+@all")
                        .add("-function")));
        String url = redis.url().replace("redis://", "redis://app:secret@");
        try (Caller restricted = new Caller(RedisKeyStore.connect(url))) {
            restricted.acquire(KEY);
            assertThat(node.claim(KEY)).isInstanceOf(Claim.InFlight.class);
        }
    }

    @Test
    void aServerThatIsDownIsUnavailable() {
        try (Caller impatient = new Caller(RedisKeyStore.builder(redis.url())
                .timeout(Duration.ofMillis(200))
                .build())) {
            redis.kill();

            assertThatThrownBy(() -> impatient.claim(KEY)).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> RedisKeyStore.connect(redis.url())).isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void aClosedStoreSaysSo() {
        RedisKeyStore closed = RedisKeyStore.connect(redis.url());
        closed.close();

        assertThatThrownBy(() -> Caller.answer(closed.claim(Caller.request(KEY))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("was closed");
    }

    @Test
    void warnsOfWhatCanMakeRedisForget() {
        assertThat(node.store().warnings()).isEmpty();
        redis.ask(server -> server.configSet("maxmemory", "100mb"));
        redis.ask(server -> server.configSet("maxmemory-policy", "allkeys-lru"));
        redis.ask(server -> server.configSet("appendfsync", "everysec"));

        try (RedisKeyStore store = RedisKeyStore.connect(redis.url() + "?replicas=2")) {
            assertThat(store.warnings())
                    .anySatisfy(warning -> assertThat(warning)
                            .contains("maxmemory-policy is allkeys-lru", "Set maxmemory-policy to noeviction"))
                    .anySatisfy(warning -> assertThat(warning).contains("appendfsync is everysec"))
                    .anySatisfy(warning -> assertThat(warning).contains("0 replicas, and 2 must confirm"))
                    .hasSize(3);
        }
        redis.ask(server -> server.configSet("appendonly", "no"));
        try (RedisKeyStore store = RedisKeyStore.connect(redis.url())) {
            assertThat(store.warnings())
                    .anySatisfy(warning -> assertThat(warning).contains("appendonly is off"));
        }
    }

    private long ttl() {
        return redis.ask(server -> server.pttl(RECORD));
    }
}
