package dev.semel.jdbc.sqlite;

import static dev.semel.jdbc.dialect.Statements.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteTransactionTest {

    private final ReentrantLock turn = new ReentrantLock(true);
    private final SqliteTransaction transaction = new SqliteTransaction(turn);
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private HikariDataSource pool;

    @BeforeEach
    void createTable(@TempDir Path directory) throws SQLException {
        pool = TestSqlite.pool(directory.resolve("keys.db"));
        try (Connection connection = pool.getConnection()) {
            SqliteTransaction.execute(connection, "PRAGMA journal_mode = WAL");
            SqliteTransaction.execute(connection, "CREATE TABLE number (value INTEGER PRIMARY KEY)");
        }
    }

    @AfterEach
    void close() {
        callers.shutdownNow();
        pool.close();
    }

    @Test
    void callersThatWaitShareOneTransaction() throws Exception {
        Set<Connection> used = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Integer>> inserts = whileAllWait(List.of(1, 2, 3), used);

        assertThat(inserts).allSatisfy(insert -> assertThat(insert.join()).isEqualTo(1));
        assertThat(used).hasSize(1);
        assertThat(numbers()).containsExactly(1, 2, 3);
    }

    @Test
    void aCallerThatFailsDoesNotFailItsNeighbours() throws Exception {
        List<CompletableFuture<Integer>> inserts = whileAllWait(List.of(1, 1, 2), ConcurrentHashMap.newKeySet());

        assertThatThrownBy(inserts.get(1)::join).hasRootCauseInstanceOf(SQLException.class);
        assertThat(inserts.get(0).join()).isEqualTo(1);
        assertThat(inserts.get(2).join()).isEqualTo(1);
        assertThat(numbers()).containsExactly(1, 2);
    }

    @Test
    void aTransactionThatCannotBeginFailsOnlyItsOwnCaller() throws Exception {
        CompletableFuture<Integer> insert;
        turn.lock();
        try (Connection closed = pool.getConnection()) {
            closed.close();
            CompletableFuture<Integer> failing = inBackground(closed, 1, ConcurrentHashMap.newKeySet(), 1);
            insert = inBackground(pool.getConnection(), 2, ConcurrentHashMap.newKeySet(), 2);
            turn.unlock();
            assertThatThrownBy(failing::join).hasRootCauseInstanceOf(SQLException.class);
        }
        assertThat(insert.join()).isEqualTo(1);
        assertThat(numbers()).containsExactly(2);
    }

    /** The callers arrive in this order while another has the turn. */
    private List<CompletableFuture<Integer>> whileAllWait(List<Integer> values, Set<Connection> used) throws Exception {
        List<CompletableFuture<Integer>> inserts = new ArrayList<>();
        turn.lock();
        try {
            for (int value : values) {
                inserts.add(inBackground(pool.getConnection(), value, used, inserts.size() + 1));
            }
        } finally {
            turn.unlock();
        }
        return inserts;
    }

    private CompletableFuture<Integer> inBackground(
            Connection connection, int value, Set<Connection> used, int waiting) {
        CompletableFuture<Integer> insert = CompletableFuture.supplyAsync(
                () -> {
                    try (connection) {
                        return transaction.run(connection, (shared, now) -> {
                            used.add(shared);
                            return PLAIN.update(shared, "INSERT INTO number VALUES (?)", value);
                        });
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                },
                callers);
        while (turn.getQueueLength() < waiting) {
            Thread.onSpinWait();
        }
        return insert;
    }

    private List<Integer> numbers() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return PLAIN.all(connection, "SELECT value FROM number ORDER BY value", row -> row.getInt(1));
        }
    }
}
