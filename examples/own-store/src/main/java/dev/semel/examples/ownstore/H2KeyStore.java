package dev.semel.examples.ownstore;

import dev.semel.KeyDigest;
import dev.semel.spi.life.Cell;
import dev.semel.spi.life.CellBytes;
import dev.semel.spi.life.EngineFailures;
import dev.semel.spi.life.EngineTime;
import dev.semel.spi.life.ScanningCasKeyStore;
import dev.semel.spi.life.SharedClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A store in a table of H2. Every write is one statement that compares the version of the row that it replaces. */
public final class H2KeyStore extends ScanningCasKeyStore {

    private static final int THREADS = 4;
    private static final int MAX_BYTES = 16 << 20;
    private static final String DUPLICATE_KEY = "23505";
    private static final int WRITES_PER_REMOVAL = 100;

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS semel_cell (
              digest UUID PRIMARY KEY,
              version BIGINT NOT NULL,
              pending BOOLEAN NOT NULL,
              removable_at TIMESTAMP(6) WITH TIME ZONE,
              content BLOB NOT NULL)""";
    private static final String READ = "SELECT content, version FROM semel_cell WHERE digest = ?";
    private static final String INSERT =
            "INSERT INTO semel_cell (version, pending, removable_at, content, digest) VALUES (?, ?, ?, ?, ?)";
    private static final String UPDATE =
            "UPDATE semel_cell SET version = ?, pending = ?, removable_at = ?, content = ? WHERE digest = ? AND version = ?";
    private static final String REMOVE = "DELETE FROM semel_cell WHERE removable_at < ? LIMIT 1000";
    private static final String SCAN =
            "SELECT digest FROM semel_cell WHERE digest > ? AND (pending OR NOT ?) ORDER BY digest LIMIT ?";

    private final DataSource database;
    private final SharedClock clock;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, H2KeyStore::thread);

    private H2KeyStore(DataSource database, SharedClock clock) {
        super("the store in H2", EngineFailures.of("H2", SQLException.class::isInstance));
        this.database = database;
        this.clock = clock;
    }

    /** Creates a store in this database, and its table if it is missing. */
    public static H2KeyStore open(DataSource database) {
        EngineTime time =
                new EngineTime(() -> CompletableFuture.supplyAsync(() -> now(database)), Duration.ofNanos(1_000));
        return open(database, new SharedClock("H2", InstantSource.system(), Duration.ofSeconds(2), time));
    }

    static H2KeyStore open(DataSource database, SharedClock clock) {
        execute(database, TABLE, statement -> statement.execute());
        return new H2KeyStore(database, clock);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "semel-h2");
        thread.setDaemon(true);
        return thread;
    }

    private interface Work<T> {
        T with(PreparedStatement statement) throws SQLException;
    }

    private static <T> T execute(DataSource database, String sql, Work<T> work) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return work.with(statement);
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    private <T> CompletionStage<T> send(String sql, Work<T> work) {
        return CompletableFuture.supplyAsync(() -> execute(database, sql, work), threads);
    }

    private static Instant now(DataSource database) {
        return execute(database, "SELECT CURRENT_TIMESTAMP(6)", statement -> {
            ResultSet row = statement.executeQuery();
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        });
    }

    @Override
    protected SharedClock clock() {
        return clock;
    }

    @Override
    protected CompletionStage<@Nullable Cell> read(KeyDigest digest) {
        return send(READ, statement -> {
                    statement.setObject(1, digest.asUuid());
                    ResultSet row = statement.executeQuery();
                    return row.next()
                            ? Optional.of(CellBytes.decode(row.getBytes(1), row.getLong(2)))
                            : Optional.<Cell>empty();
                })
                .thenApply(H2KeyStore::orNull);
    }

    private static @Nullable Cell orNull(Optional<Cell> cell) {
        return cell.orElse(null);
    }

    @Override
    protected CompletionStage<Swap> swap(KeyDigest digest, long expectedVersion, Cell next) {
        byte[] content = CellBytes.encode(next, MAX_BYTES);
        boolean isNew = expectedVersion == Cell.ABSENT;
        CompletionStage<Swap> swap = send(isNew ? INSERT : UPDATE, statement -> {
            Instant removableAt = next.removableAt();
            statement.setLong(1, next.version());
            statement.setBoolean(2, next.isOpen());
            statement.setObject(3, removableAt == null ? null : removableAt.atOffset(ZoneOffset.UTC));
            statement.setBytes(4, content);
            statement.setObject(5, digest.asUuid());
            if (!isNew) {
                statement.setLong(6, expectedVersion);
            }
            return new Swap(isWritten(statement), null);
        });
        if (ThreadLocalRandom.current().nextInt(WRITES_PER_REMOVAL) == 0) {
            send(REMOVE, statement -> {
                statement.setObject(1, clock.moment().now().atOffset(ZoneOffset.UTC));
                return statement.executeUpdate();
            });
        }
        return swap;
    }

    private static boolean isWritten(PreparedStatement statement) throws SQLException {
        try {
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            if (DUPLICATE_KEY.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    @Override
    protected CompletionStage<Scan> scan(Wanted wanted, @Nullable String after, int limit) {
        return send(SCAN, statement -> {
                    UUID start = after == null
                            ? new UUID(0, 0)
                            : KeyDigest.parse(after).asUuid();
                    statement.setObject(1, start);
                    statement.setBoolean(2, wanted == Wanted.OPEN);
                    statement.setInt(3, limit);
                    List<KeyDigest> digests = new ArrayList<>();
                    for (ResultSet row = statement.executeQuery(); row.next(); ) {
                        digests.add(KeyDigest.fromUuid(row.getObject(1, UUID.class)));
                    }
                    return digests;
                })
                .thenCompose(digests -> readEach(digests, digests.size() < limit));
    }

    @Override
    protected CompletionStage<Size> size() {
        return send("SELECT count(*) FROM semel_cell", statement -> {
            ResultSet row = statement.executeQuery();
            row.next();
            return new Size(row.getLong(1), -1);
        });
    }

    @Override
    protected void closeEngine() {
        threads.shutdown();
    }
}
