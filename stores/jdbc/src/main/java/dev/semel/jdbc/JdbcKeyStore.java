package dev.semel.jdbc;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.jdbc.dialect.JoinableKeyTable;
import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.jdbc.dialect.LeaseEnd;
import dev.semel.jdbc.dialect.SettleRequest;
import dev.semel.jdbc.dialect.SharedKeyTable;
import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.StepResult;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Upkeep;
import dev.semel.jdbc.lane.LaneLimits;
import dev.semel.jdbc.lane.Lanes;
import dev.semel.jdbc.row.DecisionTable;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.spi.Batching;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.Erasing;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import dev.semel.spi.StoreStatistics;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store in a relational database: PostgreSQL, MariaDB, MySQL, or SQLite. On the first three it can join a transaction of the
 * application.
 *
 * <p>Concurrent calls are sent to the database together, many in one statement, but a call never waits for others to
 * arrive. The store takes one connection for each kind of call in progress, and only for that time; so the data source
 * should be a pool. It may be the application's own pool: connections are returned as they were. Any number of stores,
 * in any number of processes, may share a table.
 */
public sealed class JdbcKeyStore
        implements KeyStore, Batching, Purging, Inspecting, StepRecording, Importing, Erasing, DecisionLog
        permits TransactionalJdbcKeyStore {

    /** The largest payload of an outcome, and the largest result of a step, in bytes. */
    public static final int MAX_PAYLOAD = Policy.MAX_MAX_PAYLOAD;

    private static final Duration INSPECTION_TIMEOUT = Duration.ofMinutes(1);

    private final Lanes lanes;
    private final Inspector inspector;
    private final DecisionTable decisions;
    private final TableName name;

    JdbcKeyStore(
            DataSource dataSource,
            SqlDialect dialect,
            KeyTable table,
            TableInspection inspection,
            TableName name,
            LaneLimits limits) {
        this.lanes = new Lanes(dataSource, dialect, table, limits).start();
        this.inspector = new Inspector(new StoreConnections(dataSource, INSPECTION_TIMEOUT), dialect, inspection);
        this.decisions = new DecisionTable(name, dialect.statements());
        this.name = name;
    }

    TableName tableName() {
        return name;
    }

    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        return lanes.claim(request);
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return ifFits(outcome.payload(), () -> lanes.settle(new SettleRequest(lease, outcome, retention)));
    }

    @Override
    public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        Map<Lease, CompletableFuture<Boolean>> answers = new LinkedHashMap<>();
        for (Renewal renewal : renewals) {
            answers.put(renewal.lease(), lanes.renew(renewal));
        }
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Set<Lease> held = new HashSet<>();
                    answers.forEach((lease, answer) -> {
                        if (answer.join()) {
                            held.add(lease);
                        }
                    });
                    return held;
                });
    }

    @Override
    public CompletionStage<Boolean> release(Lease lease) {
        return lanes.end(new LeaseEnd(lease, LeaseEnd.Kind.RELEASE));
    }

    @Override
    public CompletionStage<Boolean> abandon(Lease lease) {
        return lanes.end(new LeaseEnd(lease, LeaseEnd.Kind.ABANDON));
    }

    @Override
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return ifFits(result, () -> lanes.recordStep(new StepResult(lease, name, result)));
    }

    private static CompletionStage<Boolean> ifFits(byte @Nullable [] payload, Supplier<CompletionStage<Boolean>> call) {
        PayloadTooLargeException tooLarge = tooLarge(payload);
        return tooLarge == null ? call.get() : CompletableFuture.failedFuture(tooLarge);
    }

    static @Nullable PayloadTooLargeException tooLarge(byte @Nullable [] payload) {
        return payload == null || payload.length <= MAX_PAYLOAD
                ? null
                : new PayloadTooLargeException(payload.length, MAX_PAYLOAD);
    }

    @Override
    public CompletionStage<Purged> purge(int limit) {
        return inspector.ask("a purge", (inspection, connection) -> inspection.purge(connection, limit));
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return inspector.ask("finding a key", (inspection, connection) -> inspection.find(connection, digest));
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return inspector.ask("listing keys", (inspection, connection) -> inspection.page(connection, query));
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return inspector.statistics();
    }

    @Override
    public CompletionStage<Instant> now() {
        return inspector.ask("asking for the time", TableInspection::now);
    }

    @Override
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        return inspector.ask(
                "resolving a key",
                (inspection, connection) ->
                        inspection.resolve(connection, digest, token, resolution, reason, (same, now) -> {}));
    }

    @Override
    public CompletionStage<Boolean> resolve(
            KeyDigest digest, long token, Resolution resolution, String note, Entry entry) {
        return inspector.ask(
                "resolving a key",
                (inspection, connection) -> inspection.resolve(
                        connection, digest, token, resolution, note, (same, now) -> decisions.add(same, now, entry)));
    }

    @Override
    public CompletionStage<Void> add(Entry entry) {
        return inspector
                .ask("noting a decision", (inspection, connection) -> {
                    inspection.write(connection, (same, now) -> decisions.add(same, now, entry));
                    return true;
                })
                .thenAccept(added -> {});
    }

    @Override
    public CompletionStage<List<Entry>> entries(@Nullable String subject, long before, int limit) {
        return inspector.ask(
                "listing decisions", (inspection, connection) -> decisions.entries(connection, subject, before, limit));
    }

    @Override
    public CompletionStage<Boolean> erase(KeyDigest digest, long token) {
        return inspector.ask("erasing a key", (inspection, connection) -> inspection.erase(connection, digest, token));
    }

    @Override
    public Map<String, Batches> batches() {
        return lanes.batches();
    }

    @Override
    public CompletionStage<Boolean> importRecord(KeyRecord record, Instant asOf) {
        Importing.requireImportable(record);
        return ifFits(
                record.outcome() == null ? null : record.outcome().payload(),
                () -> inspector.ask(
                        "importing a key",
                        (inspection, connection) -> inspection.importRecord(connection, record, asOf)));
    }

    /** Sends the calls that were submitted before, and stops the store's threads. The data source stays open. */
    @Override
    public void close() {
        lanes.close();
        inspector.close();
    }

    /** Builds a {@link JdbcKeyStore}. */
    public static final class Builder {

        private static final Duration LONGEST_AUDIT = Duration.ofDays(3653);

        private final DataSource dataSource;
        private @Nullable String schema;
        private String table = TableName.DEFAULT;
        private boolean createIfMissing;
        private @Nullable Duration rotateEvery;
        private @Nullable Duration auditWindow;
        private LaneLimits limits = LaneLimits.DEFAULT;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** The schema that holds the table; by default the current schema of a connection. */
        public Builder schema(String schema) {
            this.schema = schema;
            return this;
        }

        /** The table's name. The names of all other objects of the store begin with it. */
        public Builder table(String table) {
            this.table = table;
            return this;
        }

        /** Creates or upgrades the tables, if needed, before the store is used. */
        public Builder createIfMissing() {
            this.createIfMissing = true;
            return this;
        }

        /**
         * Keeps keys in generations, which are dropped as a whole instead of row by row: for tables of millions of
         * keys, in PostgreSQL. {@link #createIfMissing} converts a table without generations, even while other nodes
         * use it; there is no way back.
         *
         * @param rotateEvery how long new keys go to the same generation. Half of the usual retention is a good value.
         */
        public Builder generations(Duration rotateEvery) {
            if (rotateEvery.isNegative() || rotateEvery.isZero() || rotateEvery.compareTo(Duration.ofDays(365)) > 0) {
                throw new IllegalArgumentException(
                        "time between rotations must be positive and at most a year, got " + rotateEvery);
            }
            this.rotateEvery = rotateEvery;
            return this;
        }

        /**
         * Keeps an audit record of each key for some time after its retention, in PostgreSQL: scope, key, operation,
         * attempt, times, history, trace, and the status and size of the response, but not the response. The purge
         * moves it to a table with one partition per day, which is dropped as a whole; so claims and settles cost no
         * more. All nodes that purge should have the same window.
         *
         * @param window how much longer, in whole days; a part of a day counts as one
         */
        public Builder auditWindow(Duration window) {
            if (window.isNegative() || window.isZero() || window.compareTo(LONGEST_AUDIT) > 0) {
                throw new IllegalArgumentException(
                        "audit window must be positive and at most " + LONGEST_AUDIT.toDays() + " days, got " + window);
            }
            this.auditWindow = window;
            return this;
        }

        /** How many calls of one kind may wait for the database; further ones fail immediately. 10,000 by default. */
        public Builder queueLimit(int limit) {
            this.limits = limits.withQueue(limit);
            return this;
        }

        /**
         * How long one statement may take before its connection is given up; by default 1.5 seconds for a claim and 4 seconds
         * for anything else. It should be shorter than the patience of the engine.
         */
        public Builder statementTimeout(Duration timeout) {
            this.limits = limits.withStatementTimeout(timeout);
            return this;
        }

        /**
         * How long a call is tried before it fails because the store is unavailable, if its caller does not give it up
         * before; 15 seconds by default. The engine gives up when its own patience ends.
         */
        public Builder giveUpAfter(Duration time) {
            this.limits = limits.withGiveUpAfter(time);
            return this;
        }

        /** Connects, and checks that the database has the tables of this release. */
        public JdbcKeyStore build() {
            SqlDialect dialect;
            TableName name;
            try (Connection connection = dataSource.getConnection()) {
                dialect = Dialects.of(connection);
                name = TableName.of(schema == null ? dialect.currentSchema(connection) : schema, table);
            } catch (SQLException e) {
                throw new StoreUnavailableException("could not connect to the database: " + e.getMessage(), e);
            }
            if (auditWindow != null && !dialect.keepsAuditWindow()) {
                throw new IllegalArgumentException("an audit window of its own needs PostgreSQL, and this store is in "
                        + dialect.product() + ": leave auditWindow out, and let the policies of operations keep records"
                        + " for longer (Retention.withAudit)");
            }
            JdbcSchema tables = new JdbcSchema(dialect, name);
            if (rotateEvery != null) {
                tables = tables.withGenerations();
            }
            if (createIfMissing) {
                tables.createOrUpgrade(dataSource);
            }
            tables.check(dataSource);
            Upkeep upkeep = upkeep(dialect, name);
            KeyTable keys = dialect.keyTable(name, upkeep.generations());
            TableInspection inspection = inspection(dialect, name, upkeep);
            if (!(keys instanceof JoinableKeyTable joinable)) {
                return new JdbcKeyStore(dataSource, dialect, keys, inspection, name, limits);
            }
            return keys instanceof SharedKeyTable shared
                    ? new SharedJdbcKeyStore(dataSource, dialect, shared, inspection, name, limits)
                    : new TransactionalJdbcKeyStore(dataSource, dialect, joinable, inspection, name, limits);
        }

        private Upkeep upkeep(SqlDialect dialect, TableName name) {
            try (Connection connection = dataSource.getConnection()) {
                return new Upkeep(dialect.keepsGenerations(connection, name), rotateEvery, auditWindow);
            } catch (SQLException e) {
                throw dialect.wrap("could not find out how " + name + " keeps its keys", e);
            }
        }

        private TableInspection inspection(SqlDialect dialect, TableName name, Upkeep upkeep) {
            try (Connection connection = dataSource.getConnection()) {
                TableInspection inspection = dialect.inspection(name, upkeep);
                inspection.prepare(connection);
                return inspection;
            } catch (SQLException e) {
                throw dialect.wrap("could not prepare " + name + " for its upkeep", e);
            }
        }
    }
}
