package dev.semel.torture.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.etcd.EtcdKeyStore;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.testservers.EtcdCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EtcdDatabaseTest {

    private static final int SERVERS = 3;

    @Test
    void keepsItsKeysWhenOneServerAfterTheOtherIsReplaced() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        try (EtcdDatabase database = EtcdDatabase.start()) {
            try (EtcdKeyStore keys = EtcdKeyStore.connect(database.url(database.ports()))) {
                assertThat(claim(keys)).isInstanceOf(Claim.Acquired.class);
            }

            for (int server = 0; server < SERVERS; server++) {
                database.servers().replace(server);
                database.servers().awaitHealth();
            }

            try (EtcdKeyStore keys = EtcdKeyStore.connect(database.url(database.ports()))) {
                assertThat(claim(keys)).isInstanceOf(Claim.InFlight.class);
            }
        }
    }

    private static Claim claim(EtcdKeyStore keys) {
        return keys.claim(ClaimRequest.builder(Key.of("alice", "key"), "charge", Fingerprint.of("body"))
                        .lease(Duration.ofMinutes(5))
                        .build())
                .toCompletableFuture()
                .join();
    }
}
