package dev.semel.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Days come and go as partitions. */
class PartitionsTest extends OutboxFixture {

    private static final String ADD_OLD =
            "INSERT INTO semel_outbox (created_at, destination, key, headers, payload, done_at)"
                    + " VALUES (now() - interval '%d days', 'shop', 'k', '{}', '', %s)";

    private Partitions partitions() {
        return new Partitions(pool, new OutboxName("public", "semel_outbox"), Duration.ofDays(7));
    }

    private static String partitionOf(int daysAgo) {
        return "semel_outbox_"
                + DateTimeFormatter.ofPattern("yyyyMMdd")
                        .format(LocalDate.now(ZoneOffset.UTC).minusDays(daysAgo));
    }

    private void makePartition(int daysAgo) {
        LocalDate day = LocalDate.now(ZoneOffset.UTC).minusDays(daysAgo);
        execute("CREATE TABLE " + partitionOf(daysAgo) + " PARTITION OF semel_outbox FOR VALUES FROM ('" + day
                + " 00:00:00+00') TO ('" + day.plusDays(1) + " 00:00:00+00')");
    }

    private boolean exists(String table) throws SQLException {
        return number("SELECT count(*) FROM pg_class WHERE relname = '" + table + "'") == 1;
    }

    @Test
    void makesThoseOfTheComingDays() throws Exception {
        assertThat(exists(partitionOf(0))).isTrue();
        execute("DROP TABLE " + partitionOf(-5), "DROP TABLE " + partitionOf(-7));
        partitions().maintain();
        partitions().maintain();

        assertThat(exists(partitionOf(-5))).isTrue();
        assertThat(exists(partitionOf(-7))).isTrue();
        add(OutboxMessage.of("shop", "x"));
        assertThat(number("SELECT count(*) FROM " + partitionOf(0))).isOne();
        assertThat(number("SELECT count(*) FROM semel_outbox_default")).isZero();
    }

    @Test
    void dropsThoseWhoseMessagesAreDone() throws Exception {
        for (int day : new int[] {20, 10, 3}) {
            makePartition(day);
        }
        execute(
                String.format(ADD_OLD, 20, "now()"),
                String.format(ADD_OLD, 10, "now()"),
                String.format(ADD_OLD, 10, "NULL"),
                String.format(ADD_OLD, 3, "now()"));

        partitions().maintain();

        assertThat(exists(partitionOf(20))).isFalse();
        assertThat(exists(partitionOf(10))).as("one of its messages waits").isTrue();
        assertThat(exists(partitionOf(3))).isTrue();
    }

    @Test
    void takesTheDefaultPartitionWhereADayIsMissing() throws Exception {
        execute(
                "DROP TABLE " + partitionOf(0),
                "DROP TABLE " + partitionOf(-6),
                String.format(ADD_OLD, 20, "now()"),
                String.format(ADD_OLD, 20, "NULL"));
        add(OutboxMessage.of("shop", "today"));
        assertThat(number("SELECT count(*) FROM semel_outbox_default")).isEqualTo(3);

        partitions().maintain();

        assertThat(number("SELECT count(*) FROM semel_outbox_default")).isEqualTo(2);
        assertThat(waiting()).isEqualTo(2);
        assertThat(exists(partitionOf(0)))
                .as("its messages are in the default partition")
                .isFalse();
        assertThat(exists(partitionOf(-6))).isTrue();
    }

    @Test
    void neverRefusesAMessage() throws Exception {
        execute("DROP TABLE " + partitionOf(0));
        AtomicBoolean enough = new AtomicBoolean();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writers.add(CompletableFuture.runAsync(
                    () -> {
                        while (!enough.get()) {
                            try {
                                add(OutboxMessage.of("shop", "x"));
                            } catch (SQLException e) {
                                throw new IllegalStateException(e);
                            }
                        }
                    },
                    task -> new Thread(task).start()));
        }
        for (int round = 0; round < 5; round++) {
            execute("DROP TABLE IF EXISTS " + partitionOf(-3), "DROP TABLE IF EXISTS " + partitionOf(-4));
            partitions().maintain();
        }
        enough.set(true);

        assertThat(CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(60));
        assertThat(exists(partitionOf(0)))
                .as("a day that has begun gets no partition")
                .isFalse();
    }

    @Test
    void waitsForAMessageThatIsNotCommittedYet() throws Exception {
        makePartition(20);
        try (Connection late = pool.getConnection()) {
            late.setAutoCommit(false);
            late.createStatement().execute(String.format(ADD_OLD, 20, "NULL"));

            partitions().maintain();

            late.commit();
            late.setAutoCommit(true);
        }
        partitions().maintain();
        assertThat(exists(partitionOf(20))).isTrue();
        assertThat(waiting()).isOne();
    }
}
