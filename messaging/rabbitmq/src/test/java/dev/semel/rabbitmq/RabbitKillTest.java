package dev.semel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testservers.TestBroker;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Consumers are killed while they work: effects equal distinct keys, and nothing is lost. */
class RabbitKillTest {

    private static final int MESSAGES = Integer.getInteger("semel.rabbitmq.messages", 500);
    private static final int KILLS = Integer.getInteger("semel.rabbitmq.kills", 2);
    private static final Duration PATIENCE = Duration.ofSeconds(120).plusMillis(MESSAGES * 40L);

    @Test
    void randomKillsLeaveOneEffectForEachKey() throws Exception {
        try (Connection connection = TestBroker.connect();
                HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4)) {
            JdbcKeyStore.builder(pool).createIfMissing().build().close();
            TestPostgres.execute(pool, "CREATE TABLE ledger (key text NOT NULL)");
            String queue = TestBroker.newQueue(connection);
            int distinct = send(connection, queue);
            Random random = new Random();
            List<Process> nodes = new ArrayList<>();
            try {
                nodes.add(ConsumerNode.start(TestBroker.port(), queue, pool));
                nodes.add(ConsumerNode.start(TestBroker.port(), queue, pool));
                for (int kill = 0; kill < KILLS; kill++) {
                    long enough = (long) distinct * (kill + 1) / (KILLS + 2);
                    await().atMost(PATIENCE).until(() -> number(pool, "SELECT count(*) FROM ledger") >= enough);
                    int victim = random.nextInt(nodes.size());
                    kill(nodes.get(victim));
                    nodes.set(victim, ConsumerNode.start(TestBroker.port(), queue, pool));
                }
                await().atMost(PATIENCE)
                        .until(() -> number(pool, "SELECT count(DISTINCT key) FROM ledger") == distinct);
            } finally {
                for (Process node : nodes) {
                    kill(node);
                }
            }

            assertThat(number(pool, "SELECT count(*) FROM ledger")).isEqualTo(distinct);
            assertThat(number(pool, "SELECT count(DISTINCT key) FROM ledger")).isEqualTo(distinct);
        }
    }

    /** Every tenth message is one that was sent before. */
    private static int send(Connection connection, String queue) throws Exception {
        int distinct = 0;
        List<CompletionStage<Void>> sent = new ArrayList<>();
        try (ConfirmingPublisher publisher = ConfirmingPublisher.open(connection)) {
            for (int i = 0; i < MESSAGES; i++) {
                int number = i % 10 == 9 ? i - 4 : i;
                distinct += number == i ? 1 : 0;
                sent.add(publisher.publish(
                        "",
                        queue,
                        new BasicProperties.Builder().messageId("m" + number).build(),
                        ("" + number).getBytes(StandardCharsets.UTF_8)));
            }
            for (CompletionStage<Void> each : sent) {
                each.toCompletableFuture().join();
            }
        }
        return distinct;
    }

    private static long number(HikariDataSource pool, String query) throws Exception {
        try (java.sql.Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void kill(Process node) throws InterruptedException {
        assertThat(node.destroyForcibly().waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
}
