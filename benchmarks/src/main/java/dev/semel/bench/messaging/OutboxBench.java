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
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** A business transaction of one insert, and the same with a message added to the outbox. */
final class OutboxBench {

    private static final int THREADS = 16;
    private static final String PLAIN = "insert";
    private static final String OUTBOX = "insert and outbox";

    private OutboxBench() {}

    static void run(PostgresServer server, MessagingCommand.Effort effort, Report report) throws Exception {
        try (HikariDataSource pool = server.pool(THREADS)) {
            Outbox outbox = Outbox.builder(pool).createIfMissing().build();
            server.execute("CREATE TABLE placed_order (id text, body text)");
            JdbcTransactions transactions = JdbcTransactions.of(pool);
            Rounds rounds = MessagingCommand.compare(effort, report, List.of(PLAIN, OUTBOX), (what, warmUp) -> {
                server.execute("TRUNCATE placed_order, semel_outbox", "CHECKPOINT");
                Sample sample = LoadDriver.threads(
                        THREADS,
                        warmUp ? effort.plan().warmUp() : effort.plan().time(),
                        () -> transactions.inTransaction(connection -> {
                            String key = Payload.newKey();
                            insert(connection, key);
                            if (what.equals(OUTBOX)) {
                                outbox.add(connection, OutboxMessage.of("shop", Payload.of(key)));
                            }
                            return key;
                        }));
                if (server.number("SELECT count(*) FROM semel_outbox") != (what.equals(OUTBOX) ? sample.all() : 0)) {
                    throw new IllegalStateException("not every transaction has its message");
                }
                return sample.perSecond();
            });
            report.number("outbox.throughput.ratio.insert", rounds.throughput(OUTBOX, PLAIN));
        }
    }

    private static void insert(Connection connection, String key) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO placed_order (id, body) VALUES (?, ?)")) {
            insert.setString(1, key);
            insert.setString(2, Payload.of(key));
            insert.executeUpdate();
        }
    }
}
