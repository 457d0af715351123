package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.gateway.StoreUrls.OpenStore;
import dev.semel.testservers.TestDynamoDb;
import dev.semel.testservers.TestMariaDb;
import dev.semel.testservers.TestMySql;
import dev.semel.testservers.TestPostgres;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A request and its repetition through the gateway, with its keys in each of the other servers. */
class StoreServersTest {

    @Test
    void keepsItsKeysInMariaDb() throws Exception {
        try (HikariDataSource database = TestMariaDb.newDatabase(1)) {
            executesOnce(database.getJdbcUrl() + "?user=root");
        }
    }

    /** A user of MySQL whose password goes to the server under the server's public key, as there is no TLS here. */
    @Test
    @EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
    void keepsItsKeysInMySql() throws Exception {
        try (HikariDataSource database = TestMySql.newDatabase(1)) {
            TestPostgres.execute(
                    database,
                    "CREATE USER gateway@'127.0.0.1' IDENTIFIED BY 'secret'",
                    "GRANT ALL ON *.* TO gateway@'127.0.0.1'");
            executesOnce(database.getJdbcUrl() + "?user=gateway&password=secret&allowPublicKeyRetrieval=true");
        }
    }

    @Test
    void keepsItsKeysInDynamoDb() throws Exception {
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test");
        try (TestDynamoDb server = TestDynamoDb.start()) {
            executesOnce("dynamodb:semel?region=eu-central-1&endpoint=http://127.0.0.1:" + server.port()
                    + "&createIfMissing=true");
        } finally {
            System.clearProperty("aws.accessKeyId");
            System.clearProperty("aws.secretAccessKey");
        }
    }

    private static void executesOnce(String url) throws Exception {
        try (TestUpstream upstream = new TestUpstream();
                OpenStore store = StoreUrls.open(url);
                TestGateway gateway = TestGateway.start(store.keys(), upstream.url())) {
            HttpResponse<String> first = gateway.post("/charges", "order-1", "{}");
            HttpResponse<String> replay = gateway.post("/charges", "order-1", "{}");

            assertThat(first.statusCode()).isEqualTo(201);
            assertThat(replay.statusCode()).isEqualTo(201);
            assertThat(replay.body()).isEqualTo(first.body());
            assertThat(replay.headers().firstValue("Idempotent-Replayed")).hasValue("true");
            assertThat(upstream.effects("order-1")).isEqualTo(1);
            assertThat(gateway.admin("/api/keys?state=succeeded").body()).contains("order-1");
        }
    }
}
