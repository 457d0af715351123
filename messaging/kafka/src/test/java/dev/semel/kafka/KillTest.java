package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.MessageVerdict;
import dev.semel.policy.Policy;
import dev.semel.testservers.TestPostgres;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers are killed while they work: effects equal distinct keys, nothing is lost, and the order is kept. */
class KillTest {

    private static final int MESSAGES = Integer.getInteger("semel.kafka.messages", 600);
    private static final int KILLS = Integer.getInteger("semel.kafka.kills", 2);
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(120).plusMillis(MESSAGES * 20L);

    private final Random random = new Random();
    private HikariDataSource pool;
    private Ledger ledger;
    private JdbcKeyStore store;

    @BeforeEach
    void createTables() {
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
        store = JdbcKeyStore.builder(pool).createIfMissing().build();
        ledger = Ledger.create(pool);
    }

    @AfterEach
    void close() {
        store.close();
        pool.close();
    }

    @Test
    void killedAfterTheEffectAndBeforeTheSettleHasNoSecondEffect() throws Exception {
        try (Group group = new Group(store, 1)) {
            group.send(0, null, "a", Map.of(KeyExtractor.HEADER, "a")).get();
            group.send(0, null, "b", Map.of(KeyExtractor.HEADER, "b")).get();
            Process node = ConsumerNode.start("hang-after-effect", group, pool);
            try (BufferedReader output =
                    new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(output.readLine()).isEqualTo("effect");
            } finally {
                kill(node);
            }
            assertThat(ledger.effects()).isOne();

            group.start(group.member(Policy.external("ship").build())
                    .key(KeyExtractor.header(KeyExtractor.HEADER))
                    .deadLetterUnknown()
                    .handle((record, attempt) -> {
                        try (var connection = pool.getConnection()) {
                            Ledger.add(connection, attempt.key().value(), record);
                        }
                    }));

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(group.committed(0)).isEqualTo(2));
            assertThat(ledger.effects()).isEqualTo(2);
            assertThat(ledger.distinctEffects()).isEqualTo(2);
            assertThat(group.dead).extracting(DeadLetter::reason).containsExactly(MessageVerdict.Reason.UNKNOWN);
        }
    }

    /** Nobody gives up, waits for or blames the records that had run in the same transaction, or were to run in it. */
    @Test
    void killedInTheMiddleOfASharedTransactionLeavesNothingOfItBehind() throws Exception {
        int records = 30;
        int hanging = 20;
        try (Group group = new Group(store, 1)) {
            for (int i = 0; i < records; i++) {
                group.send(0, null, i == hanging ? "hang" : "" + i, Map.of(KeyExtractor.HEADER, "m" + i))
                        .get();
            }
            Process node = ConsumerNode.start("hang-in-transaction", group, pool);
            try (BufferedReader output =
                    new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(output.readLine()).isEqualTo("effect");
            } finally {
                kill(node);
            }
            // Transactions of 1, 2, 4 and 8 records were committed, and that of record 20 had begun before it.
            assertThat(ledger.effects()).isPositive().isLessThan(hanging);

            group.start(group.member(Policy.transactional("ship").build())
                    .key(KeyExtractor.header(KeyExtractor.HEADER))
                    .maxAttempts(1)
                    .handleIn(
                            JdbcTransactions.of(pool),
                            (record, attempt, connection) ->
                                    Ledger.add(connection, attempt.key().value(), record)));

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(group.committed(0)).isEqualTo(records));
            assertThat(ledger.effects()).isEqualTo(records);
            assertThat(ledger.distinctEffects()).isEqualTo(records);
            assertThat(ledger.outOfOrder()).isEmpty();
            assertThat(group.dead).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"transactional", "child-keys"})
    void randomKillsLeaveOneEffectForEachKey(String mode) throws Exception {
        try (Group group = new Group(store, PARTITIONS)) {
            int distinct = 0;
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                // Every tenth message is one that was sent before, on the same partition.
                int number = i % 10 == 9 ? i - 4 : i;
                distinct += number == i ? 1 : 0;
                sent.add(group.send(number % PARTITIONS, null, "" + number, Map.of(KeyExtractor.HEADER, "m" + number)));
            }
            for (Future<?> each : sent) {
                each.get();
            }
            List<Process> nodes = new ArrayList<>();
            try {
                nodes.add(ConsumerNode.start(mode, group, pool));
                nodes.add(ConsumerNode.start(mode, group, pool));
                for (int kill = 0; kill < KILLS; kill++) {
                    long enough = (long) distinct * (kill + 1) / (KILLS + 2);
                    await().atMost(PATIENCE).until(() -> ledger.effects() >= enough);
                    int victim = random.nextInt(nodes.size());
                    kill(nodes.get(victim));
                    nodes.set(victim, ConsumerNode.start(mode, group, pool));
                }
                await().atMost(PATIENCE).until(() -> isCommitted(group));
            } finally {
                for (Process node : nodes) {
                    kill(node);
                }
            }

            assertThat(ledger.effects()).isEqualTo(distinct);
            assertThat(ledger.distinctEffects()).isEqualTo(distinct);
            assertThat(ledger.outOfOrder()).isEmpty();
        }
    }

    private static boolean isCommitted(Group group) throws Exception {
        long committed = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            committed += group.committed(partition);
        }
        return committed == MESSAGES;
    }

    private static void kill(Process node) throws InterruptedException {
        assertThat(node.destroyForcibly().waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
}
