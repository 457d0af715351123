package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.data.ByteUtils;
import com.datastax.oss.driver.api.core.servererrors.QueryConsistencyException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import dev.semel.KeyDigest;
import dev.semel.spi.life.Cell;
import dev.semel.spi.life.CellBytes;
import dev.semel.spi.life.EngineFailures;
import dev.semel.spi.life.ScanningCasKeyStore;
import dev.semel.spi.life.SharedClock;
import dev.semel.store.StoreException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store in Apache Cassandra, or ScyllaDB. Every write is a lightweight transaction, and reads that a decision depends
 * on have serial consistency. A write that timed out is sent again, and recognises its own earlier effect.
 *
 * <p>The clocks of the application's machines decide leases and expiry, as {@link SharedClock} describes. An expired
 * key is removed when the time to live of its row ends.
 */
public final class CassandraKeyStore extends ScanningCasKeyStore {

    /** A replica writes a value several times until it is agreed on. */
    private static final int MAX_BYTES = 4 << 20;

    /** The longest time to live in Cassandra. A key with a longer retention is not removed. */
    private static final long MAX_TTL_SECONDS = 630_720_000;

    private static final int ROWS_PER_PAGE = 16;

    private static final Function<Throwable, StoreException> FAILURES =
            EngineFailures.of("Cassandra", CassandraKeyStore::mayPass);

    private static final String ESTIMATES =
            "SELECT partitions_count FROM system.size_estimates" + " WHERE keyspace_name = ? AND table_name = 'keys'";

    private final CqlSession session;
    private final String keyspace;
    private final SharedClock clock;
    private final Runnable close;
    private final PreparedStatement read;
    private final PreparedStatement insert;
    private final PreparedStatement replace;
    private final PreparedStatement list;
    private final PreparedStatement listOpen;

    private CassandraKeyStore(Builder builder, SharedClock clock) {
        super("the store in Cassandra", FAILURES);
        this.session = builder.session;
        this.keyspace = builder.keyspace;
        this.clock = clock;
        this.close = builder.close;
        ConsistencyLevel serial = builder.serial;
        if (!serial.isSerial()) {
            throw new IllegalArgumentException("expected SERIAL or LOCAL_SERIAL, got " + serial);
        }
        ConsistencyLevel quorum = serial.isDcLocal() ? ConsistencyLevel.LOCAL_QUORUM : ConsistencyLevel.QUORUM;
        String table = CqlIdentifier.fromInternal(keyspace).asCql(true) + ".keys";
        // Never an INSERT: it leaves a row that stays when the values have gone.
        String update = "UPDATE " + table + " USING TTL ? SET version = ?, cell = ?, open = ? WHERE digest = ? IF ";
        // A refusal returns the columns of the condition.
        insert = prepare(update + "version = NULL AND cell = NULL", serial, quorum);
        replace = prepare(update + "version = ? AND cell != NULL", serial, quorum);
        String select = "SELECT version, cell, token(digest) AS place FROM " + table + " WHERE ";
        read = prepare(select + "digest = ?", serial, serial);
        list = prepare(select + "token(digest) > ? LIMIT ?", serial, quorum);
        listOpen = prepare(select + "open = true AND token(digest) > ? LIMIT ? ALLOW FILTERING", serial, quorum);
    }

    private PreparedStatement prepare(String cql, ConsistencyLevel serial, ConsistencyLevel level) {
        return session.prepare(SimpleStatement.newInstance(cql)
                .setConsistencyLevel(level)
                .setSerialConsistencyLevel(serial)
                .setPageSize(ROWS_PER_PAGE));
    }

    /**
     * Connects to the cluster that a URL such as {@code cassandra://host:9042,host:9042/keyspace?datacenter=dc1} names. It may hold
     * a user name and a password, and the parameters that {@link CassandraUrl} describes.
     */
    public static CassandraKeyStore connect(String url) {
        try {
            return CassandraUrl.parse(url).builder().build();
        } catch (DriverException e) {
            throw FAILURES.apply(e);
        }
    }

    /** A store that uses this session. The caller remains responsible for closing it. */
    public static Builder builder(CqlSession session) {
        return new Builder(session, () -> {});
    }

    private static boolean mayPass(Throwable failure) {
        return failure instanceof DriverException
                && !(failure instanceof QueryValidationException || failure instanceof AuthenticationException);
    }

    /** Whether too few servers agreed in time, because they had promised the row to other writers. */
    @Override
    protected boolean isContention(Throwable failure) {
        return failure instanceof QueryConsistencyException;
    }

    @Override
    protected SharedClock clock() {
        return clock;
    }

    @Override
    protected CompletionStage<@Nullable Cell> read(KeyDigest digest) {
        return session.executeAsync(read.bind(digest.asUuid())).thenApply(result -> cell(result.one()));
    }

    private static @Nullable Cell cell(@Nullable Row row) {
        ByteBuffer bytes = row == null || row.isNull("version") ? null : row.getByteBuffer("cell");
        return row == null || bytes == null
                ? null
                : CellBytes.decode(ByteUtils.getArray(bytes), row.getLong("version"));
    }

    @Override
    protected CompletionStage<Swap> swap(KeyDigest digest, long expectedVersion, Cell next) {
        ByteBuffer bytes = ByteBuffer.wrap(CellBytes.encode(next, MAX_BYTES));
        int ttl = timeToLive(next.removableAt());
        Statement<?> statement = expectedVersion == Cell.ABSENT
                ? insert.bind(ttl, next.version(), bytes, next.isOpen(), digest.asUuid())
                : replace.bind(ttl, next.version(), bytes, next.isOpen(), digest.asUuid(), expectedVersion);
        return session.executeAsync(statement)
                .thenApply(result -> new Swap(result.wasApplied(), result.wasApplied() ? null : cell(result.one())));
    }

    private int timeToLive(@Nullable Instant removableAt) {
        long seconds = removableAt == null
                ? 0
                : Duration.between(clock.moment().now(), removableAt).toSeconds() + 1;
        return seconds > MAX_TTL_SECONDS ? 0 : (int) seconds;
    }

    @Override
    protected CompletionStage<Scan> scan(Wanted wanted, @Nullable String after, int limit) {
        long token = after == null ? Long.MIN_VALUE : Long.parseLong(after);
        PreparedStatement statement = wanted == Wanted.OPEN ? listOpen : list;
        return session.executeAsync(statement.bind(token, limit))
                .thenCompose(page -> rows(page, new ArrayList<>()))
                .thenApply(rows -> new Scan(
                        rows.stream()
                                .map(row -> new Place(Objects.requireNonNull(cell(row)), cursor(row)))
                                .toList(),
                        rows.size() < limit ? null : cursor(rows.get(limit - 1))));
    }

    private static CompletionStage<List<Row>> rows(AsyncResultSet page, List<Row> rows) {
        page.currentPage().forEach(rows::add);
        return page.hasMorePages()
                ? page.fetchNextPage().thenCompose(next -> rows(next, rows))
                : CompletableFuture.completedFuture(rows);
    }

    private static String cursor(Row row) {
        return Long.toString(row.getLong("place"));
    }

    /** The size on disk, estimated from the server that answers; the estimate is minutes old. */
    @Override
    protected CompletionStage<Size> size() {
        int servers = session.getMetadata().getNodes().size();
        return session.executeAsync(ESTIMATES, keyspace)
                .thenCompose(page -> rows(page, new ArrayList<>()))
                .thenApply(ranges ->
                        ranges.stream().mapToLong(range -> range.getLong(0)).sum())
                .thenApply(cells -> new Size(cells * servers, -1));
    }

    @Override
    protected void closeEngine() {
        close.run();
    }

    /** Builds a {@link CassandraKeyStore}. */
    public static final class Builder {

        private final CqlSession session;
        private final Runnable close;
        private String keyspace = "semel";
        private ConsistencyLevel serial = ConsistencyLevel.SERIAL;
        private boolean createIfMissing;
        private String datacenter = "datacenter1";
        private int replicas = 3;
        private Duration maxClockSkew = Duration.ofSeconds(2);
        private @Nullable SharedClock clock;

        Builder(CqlSession session, Runnable close) {
            this.session = session;
            this.close = close;
        }

        /** The keyspace of the table {@code keys}; {@code semel} by default. */
        public Builder keyspace(String keyspace) {
            this.keyspace = keyspace;
            return this;
        }

        /** {@code SERIAL}, the default, or {@code LOCAL_SERIAL} if all processes connect to the same datacentre. */
        public Builder serial(ConsistencyLevel serial) {
            this.serial = serial;
            return this;
        }

        /** Creates the keyspace, with its {@link #replicas}, and the table if they do not exist. */
        public Builder createIfMissing() {
            this.createIfMissing = true;
            return this;
        }

        /**
         * The number of replicas in a datacentre, for a keyspace that this store creates; by default 3 in {@code
         * datacenter1}.
         */
        public Builder replicas(String datacenter, int replicas) {
            this.datacenter = datacenter;
            this.replicas = replicas;
            return this;
        }

        /**
         * By how much the clocks of two machines may differ, 2 seconds by default; the same on all machines. A machine whose
         * clock differs from a server's by more than half of this value claims no keys.
         */
        public Builder maxClockSkew(Duration maxClockSkew) {
            this.maxClockSkew = maxClockSkew;
            return this;
        }

        /** A clock for tests. */
        Builder clock(SharedClock clock) {
            this.clock = clock;
            return this;
        }

        public CassandraKeyStore build() {
            try {
                SharedClock shared = clock == null ? CassandraSchema.clock(session, maxClockSkew) : clock;
                if (createIfMissing) {
                    CassandraSchema.create(session, keyspace, datacenter, replicas);
                }
                return new CassandraKeyStore(this, shared);
            } catch (RuntimeException e) {
                close.run();
                throw e instanceof DriverException ? FAILURES.apply(e) : e;
            }
        }
    }
}
