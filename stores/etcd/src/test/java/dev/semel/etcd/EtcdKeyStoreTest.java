package dev.semel.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.semel.testservers.EtcdCluster;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.LeaseOption;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EtcdKeyStoreTest {

    private static final Retention DAY = Retention.of(Duration.ofDays(1));

    private final String prefix = "test-" + UUID.randomUUID();
    private final Key key = Key.of("tenant", "order-1");
    private Client client;
    private EtcdKeyStore store;

    @BeforeEach
    void connect() {
        EtcdCluster cluster = TestEtcd.shared();
        client = Client.builder().endpoints(cluster.endpoints()).build();
        store = EtcdKeyStore.connect(cluster.storeUrl(prefix));
    }

    @AfterEach
    void close() {
        if (client != null) {
            store.close();
            client.close();
        }
    }

    @Test
    void aKeyHasALeaseOfEtcdFromItsSettleOnAndNoneWhileItIsOpen() {
        Lease lease = acquire(key);
        assertThat(stored(key).getLease()).isZero();
        answer(store.abandon(lease));
        assertThat(stored(key).getLease()).isZero();

        answer(store.settle(lease, Outcome.succeeded().build(), DAY.withTombstone(Duration.ofDays(2))));

        assertThat(secondsToLive(stored(key)))
                .isBetween(
                        Duration.ofDays(3).plusHours(1).toSeconds(),
                        Duration.ofDays(4).toSeconds());
    }

    @Test
    void aReleasedKeyKeepsItsTokenForAnHourAndLosesItsLeaseWhenItIsClaimedAgain() {
        Lease first = acquire(key);
        assertThat(answer(store.release(first))).isTrue();
        assertThat(secondsToLive(stored(key)))
                .isBetween(Duration.ofHours(1).toSeconds(), Duration.ofHours(2).toSeconds());

        assertThat(acquire(key).token()).isGreaterThan(first.token());

        assertThat(stored(key).getLease()).isZero();
    }

    @Test
    void keysThatEndAtTheSameTimeShareALease() {
        Key other = Key.of("tenant", "order-2");
        for (Key each : List.of(key, other)) {
            answer(store.settle(acquire(each), Outcome.succeeded().build(), Retention.of(Duration.ofDays(300))));
        }

        assertThat(stored(key).getLease()).isEqualTo(stored(other).getLease());
    }

    /** Somebody has revoked the lease that the next key would have shared. */
    @Test
    void aRevokedLeaseIsReplaced() {
        Retention years = Retention.of(Duration.ofDays(300));
        answer(store.settle(acquire(key), Outcome.succeeded().build(), years));
        Lease second = acquire(Key.of("tenant", "order-2"));
        answer(client.getLeaseClient().revoke(stored(key).getLease()));

        assertThat(answer(store.settle(second, Outcome.succeeded().build(), years)))
                .isTrue();
    }

    @Test
    void refusesAPayloadThatIsTooLargeAndKeepsTheLease() {
        Lease lease = acquire(key);
        Outcome tooLarge = Outcome.succeeded().payload(new byte[1536 << 10]).build();

        assertThatThrownBy(() -> answer(store.settle(lease, tooLarge, DAY)))
                .hasCauseInstanceOf(PayloadTooLargeException.class);

        Outcome largest = Outcome.succeeded().payload(new byte[1519 << 10]).build();
        assertThat(answer(store.settle(lease, largest, DAY))).isTrue();
        assertThat(answer(store.find(key.digest())).orElseThrow().outcome()).isEqualTo(largest);
    }

    @Test
    void refusesStepsThatDoNotFitAndSaysSo() {
        Lease lease = acquire(key);
        assertThat(answer(store.recordStep(lease, "first", new byte[1 << 20]))).isTrue();

        assertThatThrownBy(() -> answer(store.recordStep(lease, "second", new byte[1 << 20])))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("no room for a key of");
        assertThat(answer(store.recordStep(lease, "third", new byte[1 << 10]))).isTrue();
    }

    @Test
    void aMachineWhoseClockIsWrongClaimsNothing() {
        for (Duration offset : List.of(Duration.ofMinutes(1), Duration.ofMinutes(-1))) {
            ServerDate date =
                    new ServerDate(HttpClient.newHttpClient(), TestEtcd.shared().endpoints());
            SharedClock wrong = new SharedClock(
                    "etcd",
                    InstantSource.offset(InstantSource.system(), offset),
                    Duration.ofSeconds(2),
                    new EngineTime(date::now, Duration.ofSeconds(1)));
            EtcdKeyStore skewed =
                    EtcdKeyStore.builder(client).prefix(prefix).clock(wrong).build();

            assertThatThrownBy(() -> answer(skewed.claim(request(key))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("Synchronise the clock");
            assertThat(answer(store.release(acquire(key)))).isTrue();
        }
    }

    @Test
    void aClusterThatIsNotThereIsUnavailable() {
        try (EtcdKeyStore nobody = EtcdKeyStore.connect("etcd://127.0.0.1:1")) {
            assertThatThrownBy(() -> answer(nobody.claim(request(key))))
                    .hasCauseInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> answer(nobody.find(key.digest())))
                    .hasCauseInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void refusesAUrlThatItDoesNotUnderstand() {
        assertThatThrownBy(() -> EtcdKeyStore.connect("etcd://127.0.0.1:1?skew=5"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"skew\"")
                .hasMessageContaining("maxClockSkew=");
        assertThatThrownBy(() -> EtcdKeyStore.connect("redis://127.0.0.1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("etcd://host:2379");
        assertThatThrownBy(() -> EtcdKeyStore.connect("etcd://127.0.0.1:1?maxClockSkew=-1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxClockSkew must be between");
    }

    private KeyValue stored(Key which) {
        ByteSequence name = ByteSequence.from(prefix + "/key/" + which.digest(), StandardCharsets.UTF_8);
        return answer(client.getKVClient().get(name)).getKvs().get(0);
    }

    private long secondsToLive(KeyValue value) {
        return answer(client.getLeaseClient().timeToLive(value.getLease(), LeaseOption.DEFAULT))
                .getTTL();
    }

    private static ClaimRequest request(Key which) {
        return ClaimRequest.builder(which, "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(5))
                .build();
    }

    private Lease acquire(Key which) {
        return ((Claim.Acquired) answer(store.claim(request(which)))).lease();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
