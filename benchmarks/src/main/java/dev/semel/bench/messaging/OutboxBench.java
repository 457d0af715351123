package dev.semel.bench.messaging;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.measure.Sample;
import dev.semel.bench.server.PostgresServer;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.outbox.Outbox;
import dev.semel.outbox.OutboxMessage;
import dev.semel.outbox.OutboxRelay;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A business transaction of one insert, and the same with a message added to the outbox. */
record OutboxBench(PostgresServer server, HikariDataSource pool, Outbox outbox) {

    private static final int THREADS = 16;
    private static final String INSERT = "INSERT INTO placed_order (id, body) VALUES (?, ?)";
    private static final String PLAIN = "insert";
    private static final String TOGETHER = "insert with outbox message";
    private static final String SEPARATE = "insert, then outbox message";
    private static final String DELIVERED = "the first with a relay beside it";

    static void run(PostgresServer server, MessagingCommand.Effort effort, Report report) throws Exception {
        try (HikariDataSource pool = server.pool(THREADS + 2)) {
            Outbox outbox = Outbox.builder(pool).createIfMissing().build();
            server.execute("CREATE TABLE placed_order (id text, body text)");
            OutboxBench bench = new OutboxBench(server, pool, outbox);
            Rounds rounds = MessagingCommand.compare(
                    effort,
                    report,
                    List.of(PLAIN, TOGETHER, SEPARATE, DELIVERED),
                    (what, warmUp) -> bench.measure(
                            what,
                            warmUp ? effort.plan().warmUp() : effort.plan().time()));
            report.number("outbox.throughput.ratio.insert", rounds.throughput(TOGETHER, PLAIN));
            report.number("outbox.throughput.ratio.insert.separate", rounds.throughput(SEPARATE, PLAIN));
            report.number("outbox.throughput.ratio.insert.relay", rounds.throughput(DELIVERED, PLAIN));
        }
    }

    private double measure(String what, Duration time) throws Exception {
        server.execute("TRUNCATE placed_order, semel_outbox, semel_outbox_relay", "CHECKPOINT");
        if (!what.equals(DELIVERED)) {
            return write(what, time);
        }
        try (OutboxRelay relay = outbox.relay()
                .destination("shop", delivery -> CompletableFuture.completedStage(null))
                .start()) {
            relay.wake();
            return write(TOGETHER, time);
        }
    }

    private double write(String what, Duration time) throws Exception {
        JdbcTransactions transactions = JdbcTransactions.of(pool);
        Sample sample = LoadDriver.threads(
                THREADS,
                time,
                () -> transactions.inTransaction(connection -> {
                    String key = Payload.newKey();
                    String body = Payload.of(key);
                    if (what.equals(TOGETHER)) {
                        outbox.addWith(connection, OutboxMessage.of("shop", body), INSERT, key, body);
                    } else {
                        insert(connection, key, body);
                    }
                    if (what.equals(SEPARATE)) {
                        outbox.add(connection, OutboxMessage.of("shop", body));
                    }
                    return key;
                }));
        if (server.number("SELECT count(*) FROM semel_outbox") != (what.equals(PLAIN) ? 0 : sample.all())) {
            throw new IllegalStateException("not every transaction has its message");
        }
        return sample.perSecond();
    }

    private static void insert(Connection connection, String key, String body) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, key);
            insert.setString(2, body);
            insert.executeUpdate();
        }
    }
}
