package dev.semel.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.life.EngineTime;
import dev.semel.spi.life.SharedClock;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CassandraKeyStoreTest {

    private static final String KEYSPACE = "own";
    private static final Retention DAY = Retention.of(Duration.ofDays(1));

    private static CqlSession session;
    private static CassandraKeyStore store;

    private final Key key = Key.of("tenant", "order-" + UUID.randomUUID());

    @BeforeAll
    static void connect() {
        session = TestCassandra.session(KEYSPACE);
        store = CassandraKeyStore.connect(TestCassandra.cluster().storeUrl(KEYSPACE));
    }

    @AfterAll
    static void close() {
        if (session != null) {
            store.close();
            session.close();
        }
    }

    @Test
    void onlySettledAndForgottenKeysHaveATimeToLive() {
        Lease lease = acquire();
        assertThat(row().isNull("ttl(cell)")).isTrue();
        answer(store.abandon(lease));
        assertThat(row().isNull("ttl(cell)")).isTrue();

        answer(store.settle(lease, Outcome.succeeded().build(), DAY.withTombstone(Duration.ofDays(2))));

        assertThat((long) row().getInt("ttl(cell)"))
                .isBetween(
                        Duration.ofDays(3).toSeconds(),
                        Duration.ofDays(3).plusHours(2).toSeconds());
        assertThat(row().getInt("ttl(version)")).isPositive();
    }

    @Test
    void aReleasedKeyKeepsItsTokenForAnHourAndHasNoTimeToLiveWhenItIsClaimedAgain() {
        Lease first = acquire();
        assertThat(answer(store.release(first))).isTrue();
        assertThat((long) row().getInt("ttl(cell)"))
                .isBetween(
                        Duration.ofMinutes(59).toSeconds(), Duration.ofHours(2).toSeconds());

        assertThat(acquire().token()).isGreaterThan(first.token());

        assertThat(row().isNull("ttl(cell)")).isTrue();
        assertThat(row().isNull("ttl(version)")).isTrue();
    }

    /** A row that an INSERT had made would stay, without its values. */
    @Test
    void nothingIsLeftOfARowWhoseTimeToLiveHasEnded() {
        answer(store.settle(acquire(), Outcome.succeeded().build(), DAY));
        session.execute(
                "UPDATE own.keys USING TTL 1 SET version = 1, cell = 0x, open = false WHERE digest = ? IF EXISTS",
                key.digest().asUuid());

        Awaitility.await().until(() -> row() == null);
        assertThat(acquire().attempt()).isEqualTo(1);
    }

    /** Cassandra refuses a time to live of more than twenty years. */
    @Test
    void keepsAKeyForeverThatIsKeptLongerThanCassandraCan() {
        assertThat(answer(
                        store.settle(acquire(), Outcome.succeeded().build(), Retention.of(Duration.ofDays(365 * 50)))))
                .isTrue();

        assertThat(row().isNull("ttl(cell)")).isTrue();
    }

    @Test
    void refusesAPayloadThatIsTooLargeAndKeepsTheLease() {
        Lease lease = acquire();
        Outcome tooLarge = Outcome.succeeded().payload(new byte[4 << 20]).build();

        assertThatThrownBy(() -> answer(store.settle(lease, tooLarge, DAY)))
                .hasCauseInstanceOf(PayloadTooLargeException.class);

        Outcome largest =
                Outcome.succeeded().payload(new byte[(4 << 20) - 2000]).build();
        assertThat(answer(store.settle(lease, largest, DAY))).isTrue();
        assertThat(answer(store.find(key.digest())).orElseThrow().outcome()).isEqualTo(largest);
    }

    @Test
    void claimsInOneDatacenterToo() {
        try (CassandraKeyStore local =
                CassandraKeyStore.connect(TestCassandra.cluster().storeUrl(KEYSPACE) + "&serial=LOCAL_SERIAL")) {
            assertThat(answer(local.claim(request()))).isInstanceOf(Claim.Acquired.class);
            assertThat(answer(local.claim(request()))).isInstanceOf(Claim.InFlight.class);
        }
    }

    @Test
    void createsItsKeyspaceWithTheCallersSession() {
        CassandraKeyStore created = CassandraKeyStore.builder(session)
                .keyspace("created")
                .replicas("datacenter1", 1)
                .createIfMissing()
                .build();

        assertThat(answer(created.claim(request()))).isInstanceOf(Claim.Acquired.class);
    }

    @Test
    void aMachineWhoseClockIsWrongClaimsNothing() {
        for (Duration offset : List.of(Duration.ofMinutes(1), Duration.ofMinutes(-1))) {
            SharedClock wrong = new SharedClock(
                    "Cassandra",
                    InstantSource.offset(InstantSource.system(), offset),
                    Duration.ofSeconds(2),
                    new EngineTime(() -> CassandraSchema.now(session), Duration.ofMillis(1)));
            CassandraKeyStore skewed = CassandraKeyStore.builder(session)
                    .keyspace(KEYSPACE)
                    .clock(wrong)
                    .build();

            assertThatThrownBy(() -> answer(skewed.claim(request())))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("Synchronise the clock");
            assertThat(answer(store.release(acquire()))).isTrue();
        }
    }

    @Test
    void aClusterThatIsNotThereIsUnavailable() {
        assertThatThrownBy(() -> CassandraKeyStore.connect("cassandra://127.0.0.1:1"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("127.0.0.1:1");
    }

    @Test
    void saysThatThereIsNoKeyspace() {
        String url =
                TestCassandra.cluster().storeUrl("nobodys").replace("createIfMissing=true", "createIfMissing=false");
        assertThatThrownBy(() -> CassandraKeyStore.connect(url))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("nobodys");
    }

    @Test
    void refusesAUrlThatItDoesNotUnderstand() {
        assertThatThrownBy(() -> CassandraKeyStore.connect("cassandra://127.0.0.1:1/semel?consistency=ONE"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"consistency\"");
        assertThatThrownBy(() -> CassandraKeyStore.connect("cassandra://127.0.0.1:1/semel?serial=NONE"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NONE");
    }

    private Row row() {
        return session.execute(
                        "SELECT ttl(cell), ttl(version) FROM own.keys WHERE digest = ?",
                        key.digest().asUuid())
                .one();
    }

    private ClaimRequest request() {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(5))
                .build();
    }

    private Lease acquire() {
        return ((Claim.Acquired) answer(store.claim(request()))).lease();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
