package dev.semel.testkit.memory;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.TransactionJoining;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.KeyCount;
import dev.semel.spi.life.KeyLife;
import dev.semel.spi.life.KeyLifeStore;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import dev.semel.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that simulates transactions: outcomes of transactional operations become visible with the commit, and
 * are gone with a rollback. For tests only.
 *
 * <p>It learns of commits and rollbacks from the connections of {@link #dataSource}, which needs no database, or of
 * {@link #around}, which wraps the database of a test, such as H2. Until a transaction ends, others cannot use the keys
 * that it has claimed or settled.
 *
 * <p>It cannot simulate a crash: the store dies with its process.
 */
public final class TransactionalMemoryStore extends KeyLifeStore
        implements Purging, Inspecting, TransactionJoining<Connection> {

    private final Map<KeyDigest, StoredKey> keys = new TreeMap<>();
    private final Map<KeyDigest, MemoryTransaction> held = new TreeMap<>();
    private final InstantSource clock;
    private long lastToken;

    private TransactionalMemoryStore(InstantSource clock) {
        this.clock = clock;
    }

    public static TransactionalMemoryStore create() {
        return withClock(InstantSource.system());
    }

    /** A store whose leases and retentions are decided by this clock. */
    public static TransactionalMemoryStore withClock(InstantSource clock) {
        return new TransactionalMemoryStore(clock);
    }

    /** A {@code DataSource} that has transactions and nothing else: statements are refused. */
    public DataSource dataSource() {
        return new JoinedDataSource(this, null);
    }

    /**
     * Wraps a {@code DataSource} so that this store can join its transactions. Give the result to the application
     * instead.
     */
    public DataSource around(DataSource dataSource) {
        return new JoinedDataSource(this, dataSource);
    }

    /** A key that is in an open transaction is in flight; no call waits for that transaction. */
    @Override
    public synchronized CompletionStage<Claim> claim(ClaimRequest request) {
        return held.containsKey(request.key().digest())
                ? CompletableFuture.completedFuture(inTransaction())
                : super.claim(request);
    }

    /** A write to a key that is in an open transaction waits for its end, as for a row lock. */
    @Override
    protected synchronized <A> CompletionStage<A> change(KeyDigest digest, Transition<A> call) {
        MemoryTransaction holder = held.get(digest);
        if (holder != null) {
            return holder.ended().thenCompose(ended -> change(digest, call));
        }
        Change<A> change = call.on(keys.get(digest), moment(), this::newToken);
        if (change.changed()) {
            keep(digest, change.next());
        }
        return CompletableFuture.completedFuture(change.answer());
    }

    private void keep(KeyDigest digest, @Nullable StoredKey next) {
        if (next == null) {
            keys.remove(digest);
        } else {
            keys.put(digest, next);
        }
    }

    private long newToken() {
        return ++lastToken;
    }

    private static Claim inTransaction() {
        return new Claim.InFlight(Duration.ZERO, Duration.ZERO);
    }

    @Override
    public Class<Connection> transactionType() {
        return Connection.class;
    }

    @Override
    public synchronized Claim claim(Connection connection, ClaimRequest request) {
        MemoryTransaction transaction = transaction(connection);
        KeyDigest digest = request.key().digest();
        return isHeldByAnother(transaction, digest)
                ? inTransaction()
                : write(transaction, digest, KeyLife.claim(seen(transaction, digest), request, moment(), newToken()));
    }

    @Override
    public synchronized boolean settle(Connection connection, Lease lease, Outcome outcome, Retention retention) {
        MemoryTransaction transaction = transaction(connection);
        KeyDigest digest = lease.digest();
        if (isHeldByAnother(transaction, digest)) {
            throw new StoreUnavailableException("another transaction holds the key " + digest, null);
        }
        return write(
                transaction, digest, KeyLife.settle(seen(transaction, digest), lease, outcome, retention, moment()));
    }

    private boolean isHeldByAnother(MemoryTransaction transaction, KeyDigest digest) {
        MemoryTransaction holder = held.get(digest);
        return holder != null && holder != transaction;
    }

    private @Nullable StoredKey seen(MemoryTransaction transaction, KeyDigest digest) {
        return transaction.has(digest) ? transaction.get(digest) : keys.get(digest);
    }

    private <A> A write(MemoryTransaction transaction, KeyDigest digest, Change<A> change) {
        if (change.changed()) {
            transaction.put(digest, change.next());
            held.put(digest, transaction);
        }
        return change.answer();
    }

    /** Called after the database has committed or rolled back. */
    void end(MemoryTransaction transaction, boolean committed) {
        synchronized (this) {
            if (committed) {
                transaction.written().forEach((digest, next) -> keep(digest, next.orElse(null)));
            }
            held.values().removeIf(holder -> holder == transaction);
        }
        // Those who have waited go on behind the lock.
        transaction.ended().complete(committed);
    }

    /** Undoes what was written after a savepoint. */
    synchronized void rollBack(MemoryTransaction transaction, Map<KeyDigest, Optional<StoredKey>> savepoint) {
        transaction.restore(savepoint);
        held.entrySet().removeIf(each -> each.getValue() == transaction && !transaction.has(each.getKey()));
    }

    private MemoryTransaction transaction(Connection connection) {
        try {
            if (connection.isWrapperFor(JoinedConnection.class)) {
                return connection.unwrap(JoinedConnection.class).transactionOf(this);
            }
        } catch (SQLException e) {
            throw new StoreUnavailableException("the transaction cannot be found: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException(
                "the connection does not belong to this TransactionalMemoryStore: give the application the"
                        + " DataSource that store.around(dataSource) returns, or store.dataSource()");
    }

    @Override
    public boolean isTransient(Throwable failure) {
        return failure instanceof SQLTransientException || failure instanceof StoreUnavailableException;
    }

    @Override
    public synchronized CompletionStage<Purged> purge(int limit) {
        List<KeyDigest> removable = keys.entrySet().stream()
                .filter(each -> KeyLife.purge(each.getValue(), moment()).answer())
                .map(Map.Entry::getKey)
                .filter(digest -> !held.containsKey(digest))
                .limit(limit)
                .toList();
        removable.forEach(keys::remove);
        return CompletableFuture.completedFuture(new Purged(removable.size(), removable.size() == limit));
    }

    @Override
    public synchronized CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return CompletableFuture.completedFuture(
                Optional.ofNullable(keys.get(digest)).map(key -> key.toRecord(moment())));
    }

    @Override
    public synchronized CompletionStage<KeyPage> page(KeyQuery query) {
        Moment moment = moment();
        KeyDigest after = query.cursor() == null ? null : KeyDigest.parse(query.cursor());
        List<KeyRecord> records = keys.entrySet().stream()
                .filter(each -> after == null || each.getKey().compareTo(after) > 0)
                .map(each -> each.getValue().toRecord(moment))
                .filter(query::matches)
                .limit(query.limit())
                .toList();
        boolean full = records.size() == query.limit();
        return CompletableFuture.completedFuture(new KeyPage(
                records, full ? records.get(records.size() - 1).key().digest().toString() : null));
    }

    @Override
    public synchronized CompletionStage<StoreStatistics> statistics() {
        KeyCount count = new KeyCount(moment());
        keys.values().forEach(count::add);
        return CompletableFuture.completedFuture(count.statistics(true, -1));
    }

    @Override
    public CompletionStage<Instant> now() {
        return CompletableFuture.completedFuture(clock.instant());
    }

    private Moment moment() {
        return Moment.of(clock.instant());
    }

    /** Does nothing: there is only memory to free, and others may still use this store. */
    @Override
    public void close() {}
}
