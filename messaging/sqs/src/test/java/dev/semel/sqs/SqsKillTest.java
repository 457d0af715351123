package dev.semel.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** Consumers are killed while they work: effects equal distinct keys, nothing is lost, and FIFO queues keep their order. */
class SqsKillTest {

    private static final int MESSAGES = Integer.getInteger("semel.sqs.messages", 200);
    private static final int KILLS = Integer.getInteger("semel.sqs.kills", 1);
    private static final int BATCH = 10;
    private static final int GROUPS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(120).plusMillis(MESSAGES * 40L);

    /** Effects that came after one of a later message of their group. */
    private static final String OUT_OF_ORDER = "SELECT count(*) FROM (SELECT number, max(number) OVER"
            + " (PARTITION BY number %% %d ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before"
            + " FROM ledger WHERE queue = '%s') AS ordered WHERE before > number";

    @Test
    void randomKillsLeaveOneEffectForEachKeyAndTheOrderOfFifoQueues() throws Exception {
        String standard = TestSqs.newQueue();
        String fifo = TestSqs.newFifoQueue();
        try (HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4)) {
            JdbcKeyStore.builder(pool).createIfMissing().build().close();
            TestPostgres.execute(
                    pool,
                    "CREATE TABLE ledger (id bigserial PRIMARY KEY, queue text NOT NULL, key text NOT NULL, number int)");
            int distinct = send(standard, false);
            send(fifo, true);
            Random random = new Random();
            List<Process> nodes = new ArrayList<>();
            try {
                nodes.add(ConsumerNode.start(TestSqs.port(), standard, fifo, pool));
                nodes.add(ConsumerNode.start(TestSqs.port(), standard, fifo, pool));
                for (int kill = 0; kill < KILLS; kill++) {
                    long enough = 2L * distinct * (kill + 1) / (KILLS + 2);
                    await().atMost(PATIENCE).until(() -> number(pool, "SELECT count(*) FROM ledger") >= enough);
                    int victim = random.nextInt(nodes.size());
                    kill(nodes.get(victim));
                    nodes.set(victim, ConsumerNode.start(TestSqs.port(), standard, fifo, pool));
                }
                await().atMost(PATIENCE).until(() -> TestSqs.count(standard) == 0 && TestSqs.count(fifo) == 0);
            } finally {
                for (Process node : nodes) {
                    kill(node);
                }
            }

            for (String queue : List.of(standard, fifo)) {
                String of = " FROM ledger WHERE queue = '" + queue + "'";
                assertThat(number(pool, "SELECT count(*)" + of)).isEqualTo(distinct);
                assertThat(number(pool, "SELECT count(DISTINCT key)" + of)).isEqualTo(distinct);
            }
            assertThat(number(pool, OUT_OF_ORDER.formatted(GROUPS, fifo))).isZero();
        }
    }

    /** Every tenth message is one that was sent before. */
    private static int send(String queue, boolean fifo) {
        int distinct = 0;
        List<SendMessageBatchRequestEntry> batch = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            int number = i % 10 == 9 ? i - 4 : i;
            distinct += number == i ? 1 : 0;
            MessageAttributeValue key = MessageAttributeValue.builder()
                    .dataType("String")
                    .stringValue("m" + number)
                    .build();
            SendMessageBatchRequestEntry.Builder entry = SendMessageBatchRequestEntry.builder()
                    .id("m" + i)
                    .messageBody("" + number)
                    .messageAttributes(Map.of(SqsKeyExtractor.ATTRIBUTE, key));
            if (fifo) {
                entry.messageGroupId("g" + number % GROUPS).messageDeduplicationId("d" + i);
            }
            batch.add(entry.build());
            if (batch.size() == BATCH || i == MESSAGES - 1) {
                List<SendMessageBatchRequestEntry> entries = List.copyOf(batch);
                TestSqs.client()
                        .sendMessageBatch(request -> request.queueUrl(queue).entries(entries))
                        .join();
                batch.clear();
            }
        }
        return distinct;
    }

    private static long number(HikariDataSource pool, String query) throws Exception {
        try (Connection connection = pool.getConnection();
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
