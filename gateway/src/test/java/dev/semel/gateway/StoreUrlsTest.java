package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.gateway.StoreUrls.OpenStore;
import dev.semel.gateway.config.ConfigException;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The drivers of all stores are in the gateway, and say what they did not reach: nobody listens on port 1. */
class StoreUrlsTest {

    @Test
    void reachesForMariaDb() {
        assertThatThrownBy(() -> StoreUrls.open("jdbc:mariadb://127.0.0.1:1/semel?user=alice&password=secret"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("jdbc:mariadb://127.0.0.1:1/semel")
                .hasMessageNotContaining("secret");
    }

    /** With MariaDB's driver, which is told nothing of the scheme that it does not know. */
    @Test
    void reachesForMySql() {
        assertThatThrownBy(() -> StoreUrls.open("jdbc:mysql://127.0.0.1:1/semel?user=alice&password=secret"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("127.0.0.1:1/semel")
                .hasMessageNotContaining("secret");
    }

    @Test
    void readsHowLongAGenerationLasts() {
        assertThatThrownBy(() -> StoreUrls.open("jdbc:postgresql://127.0.0.1:1/semel?generations=often&user=alice"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("often");
        assertThatThrownBy(() -> StoreUrls.open("jdbc:postgresql://127.0.0.1:1/semel?user=alice&generations=12h"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("127.0.0.1:1");
    }

    @Test
    void anAuditWindowNeedsPostgreSql() {
        assertThatThrownBy(() -> TestGateway.config("http://127.0.0.1:1", "audit-window", "7d"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("jdbc:postgresql:")
                .hasMessageContaining("--audit");
        assertThatThrownBy(() -> StoreUrls.open("sqlite::memory:", null, Duration.ofDays(7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PostgreSQL")
                .hasMessageContaining("withAudit");
        assertThat(TestGateway.config("http://127.0.0.1:1", "audit-window", "7d", "store", "jdbc:postgresql://db/semel")
                        .auditWindow())
                .isEqualTo(Duration.ofDays(7));
    }

    @Test
    void reachesForDynamoDb() {
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test");
        try {
            assertThatThrownBy(() -> StoreUrls.open(
                            "dynamodb:semel?region=eu-central-1&endpoint=http://127.0.0.1:1&createIfMissing=true"))
                    .isInstanceOf(StoreException.class);
        } finally {
            System.clearProperty("aws.accessKeyId");
            System.clearProperty("aws.secretAccessKey");
        }
    }

    @Test
    void reachesForCassandra() {
        assertThatThrownBy(() -> StoreUrls.open("cassandra://alice:secret@127.0.0.1:1/semel"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("127.0.0.1:1")
                .hasMessageNotContaining("secret");
    }

    /** etcd is connected to when it is first used. */
    @Test
    void reachesForEtcd() throws Exception {
        try (OpenStore store = StoreUrls.open("etcd://alice:secret@127.0.0.1:1/semel")) {
            assertThatThrownBy(() -> KeyStore.capability(store.keys(), Inspecting.class)
                            .orElseThrow()
                            .find(Key.of("tenant", "order-1").digest())
                            .toCompletableFuture()
                            .join())
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void namesTheStoresThatThereAre() {
        assertThatThrownBy(() -> StoreUrls.open("oracle://alice:secret@db/semel"))
                .isInstanceOf(ConfigException.class)
                .satisfies(e -> assertThat(e.getMessage())
                        .contains(
                                "sqlite:PATH",
                                "jdbc:postgresql:",
                                "jdbc:mariadb:",
                                "jdbc:mysql:",
                                "redis:",
                                "dynamodb:",
                                "cassandra:",
                                "etcd:",
                                "memory:")
                        .doesNotContain("secret"));
    }
}
