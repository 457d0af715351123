package dev.semel.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Backoff;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An outbox in a database of its own, and relays that are closed after the test. */
abstract class OutboxFixture {

    private final List<OutboxRelay> relays = new ArrayList<>();
    HikariDataSource pool;
    Outbox outbox;

    @BeforeEach
    void open() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 20);
        outbox = Outbox.builder(pool).createIfMissing().build();
    }

    @AfterEach
    void close() {
        relays.forEach(OutboxRelay::close);
        pool.close();
    }

    OutboxRelay.Builder relay(String destination, Destination to) {
        return outbox.relay()
                .destination(destination, to)
                .poll(Duration.ofMillis(100))
                .backoff(new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)));
    }

    OutboxRelay start(OutboxRelay.Builder builder) {
        OutboxRelay relay = builder.start();
        relays.add(relay);
        return relay;
    }

    void add(OutboxMessage... messages) throws SQLException {
        SqlTransaction.inTransaction(pool, connection -> {
            outbox.add(connection, List.of(messages));
            return null;
        });
    }

    long number(String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    void execute(String... statements) {
        TestPostgres.execute(pool, statements);
    }

    long waiting() throws SQLException {
        return number("SELECT count(*) FROM semel_outbox WHERE done_at IS NULL");
    }
}
