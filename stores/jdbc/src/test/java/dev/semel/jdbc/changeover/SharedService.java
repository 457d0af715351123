package dev.semel.jdbc.changeover;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.changeover.Changeover;
import dev.semel.changeover.LegacyKeys;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.spi.KeyStore;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** A service that charges cards: with its own table of keys alone, as it was, or with Semel beside it. */
final class SharedService implements AutoCloseable {

    static final String LOCKED = "locked";

    /** Where a process can die. */
    enum Moment {
        AFTER_CLAIM_HERE,
        AFTER_CLAIM_THERE,
        AFTER_EFFECT,
        AFTER_SETTLE,
        AFTER_WRITE_BACK
    }

    private final HikariDataSource database;
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final KeyStore store;
    private final Semel semel;
    private final ExternalOperation<Outcome> charge;
    private final Consumer<Moment> reached;

    SharedService(String url, ExternalPolicy policy, Consumer<Moment> reached) {
        this.database = TestPostgres.pool(url, "postgres", 20);
        this.reached = reached;
        this.store = Changeover.around(
                JdbcKeyStore.builder(database).createIfMissing().build(), told(new OldTable(database)), executor);
        this.semel = Semel.builder(store).build();
        this.charge = semel.operation(policy, OutcomeCodec.identity());
    }

    static void createTables(HikariDataSource database) {
        TestPostgres.execute(
                database,
                "CREATE TABLE requests (customer TEXT, request_key TEXT, state TEXT NOT NULL, status INT, body TEXT,"
                        + " semel_token BIGINT, PRIMARY KEY (customer, request_key))",
                "CREATE TABLE effect (request_key TEXT)");
    }

    private LegacyKeys told(LegacyKeys table) {
        return new LegacyKeys() {
            @Override
            public RowState claim(Key key, String operation, long token) throws Exception {
                reached.accept(Moment.AFTER_CLAIM_HERE);
                RowState answer = table.claim(key, operation, token);
                reached.accept(Moment.AFTER_CLAIM_THERE);
                return answer;
            }

            @Override
            public void settle(Key key, long token, Outcome outcome) throws Exception {
                reached.accept(Moment.AFTER_SETTLE);
                table.settle(key, token, outcome);
                reached.accept(Moment.AFTER_WRITE_BACK);
            }

            @Override
            public void release(Key key, long token) throws Exception {
                table.release(key, token);
            }
        };
    }

    KeyStore store() {
        return store;
    }

    /** A request to a node with Semel. */
    Execution<Outcome> withSemel(String key) throws SQLException {
        return charge.run(Key.of("alice", key), Fingerprint.of(key), attempt -> {
            charge(key);
            reached.accept(Moment.AFTER_EFFECT);
            return Outcome.succeeded()
                    .status(201)
                    .contentType("text/plain")
                    .payload("with Semel")
                    .build();
        });
    }

    /** A request to a node without Semel: the body of the response, or that the key is locked. */
    String withoutSemel(String key) throws SQLException {
        if (insert(key)) {
            charge(key);
            finish(key);
        }
        try (Connection connection = database.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("SELECT state, body FROM requests WHERE request_key = ?")) {
            select.setString(1, key);
            ResultSet row = select.executeQuery();
            row.next();
            return row.getString("state").equals(LOCKED) ? LOCKED : row.getString("body");
        }
    }

    boolean insert(String key) throws SQLException {
        return update(
                        "INSERT INTO requests (customer, request_key, state) VALUES ('alice', ?, 'locked') ON CONFLICT DO"
                                + " NOTHING",
                        key)
                == 1;
    }

    void charge(String key) throws SQLException {
        update("INSERT INTO effect VALUES (?)", key);
    }

    private void finish(String key) throws SQLException {
        update(
                "UPDATE requests SET state = 'done', status = 200, body = 'without Semel' WHERE request_key = ? AND"
                        + " semel_token IS NULL",
                key);
    }

    private int update(String sql, String key) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, key);
            return statement.executeUpdate();
        }
    }

    long effects(String key) {
        return TestPostgres.number(database, "SELECT count(*) FROM effect WHERE request_key = '" + key + "'");
    }

    @Override
    public void close() {
        semel.close();
        store.close();
        executor.shutdownNow();
        database.close();
    }
}
