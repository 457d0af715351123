package dev.semel.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Relays are killed while they deliver: nothing is lost, and the order of an aggregate is kept. */
class RelayKillTest extends OutboxFixture {

    private static final int MESSAGES = Integer.getInteger("semel.outbox.messages", 2_000);
    private static final int KILLS = Integer.getInteger("semel.outbox.kills", 3);
    private static final int AGGREGATES = 13;
    private static final Duration PATIENCE = Duration.ofSeconds(120).plusMillis(MESSAGES * 20L);

    @Test
    void randomKillsLoseNothingAndKeepTheOrder() throws Exception {
        execute("CREATE TABLE received (id bigserial, key text PRIMARY KEY, aggregate text, number int)");
        Random random = new Random();
        List<Process> nodes = new ArrayList<>();
        try {
            nodes.add(RelayNode.start(pool));
            nodes.add(RelayNode.start(pool));
            int kills = 0;
            for (int i = 0; i < MESSAGES; i++) {
                add(OutboxMessage.of("shop", "" + i).withAggregate("a" + i % AGGREGATES));
                if (i >= (long) MESSAGES * (kills + 1) / (KILLS + 1) && kills < KILLS) {
                    long some = number("SELECT count(*) FROM received") + 10;
                    // A relay that has caught up is killed, too: the next message then finds one that was just started.
                    await().atMost(PATIENCE)
                            .until(() -> number("SELECT count(*) FROM received") >= some || waiting() == 0);
                    int victim = random.nextInt(nodes.size());
                    kill(nodes.get(victim));
                    nodes.set(victim, RelayNode.start(pool));
                    kills++;
                }
            }
            await().atMost(PATIENCE).until(() -> waiting() == 0);
            assertThat(kills).isEqualTo(KILLS);
        } finally {
            for (Process node : nodes) {
                kill(node);
            }
        }

        assertThat(number("SELECT count(*) FROM received")).isEqualTo(MESSAGES);
        assertThat(number("SELECT count(*) FROM (SELECT number, max(number) OVER (PARTITION BY aggregate ORDER BY id"
                        + " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM received) AS r"
                        + " WHERE before > number"))
                .isZero();
    }

    private static void kill(Process node) throws InterruptedException {
        assertThat(node.destroyForcibly().waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
}
