package dev.semel.jdbc.postgres.generations;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.postgres.TestDatabase;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging.Purged;
import dev.semel.spi.Renewal;
import dev.semel.spi.TransactionJoining;
import dev.semel.testkit.race.RaceTester;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to keys when new ones go to the next generation, and when an old one is emptied. */
class GenerationsTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration PERIOD = HOUR.multipliedBy(12);
    private static final int AT_ONCE = 5000;
    private static final Outcome DONE = Outcome.succeeded().payload("done").build();

    private static HikariDataSource pool;
    private static TestDatabase database;

    private JdbcKeyStore store;

    @BeforeAll
    static void connect() {
        String name = TestPostgres.newDatabase();
        try (HikariDataSource admin = TestPostgres.pool(name, 1)) {
            TestDatabase.prepare(admin, name, Duration.ZERO);
        }
        pool = TestPostgres.pool(name, 16);
        database = TestDatabase.connect(pool, builder -> builder.generations(PERIOD));
    }

    @AfterAll
    static void disconnect() {
        database.close();
    }

    @BeforeEach
    void open() {
        store = database.openStore();
        rotateUntilEmpty();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void rotateUntilEmpty() {
        database.clear();
        settleDown();
    }

    /** Lets everything be done that is due. */
    private void settleDown() {
        Purged purged;
        do {
            purged = answer(store.purge(1000));
        } while (purged.more());
    }

    private void rotate() throws SQLException {
        int before = slot();
        database.advance(PERIOD);
        settleDown();
        assertThat(slot()).isNotEqualTo(before);
    }

    @Test
    void aKeyIsFoundInEveryGeneration() throws SQLException {
        Key settled = Key.of("tenant", "settled");
        Key pending = Key.of("tenant", "pending");
        settle(acquire(settled), HOUR.multipliedBy(1000));
        Lease lease = acquire(pending);
        rotate();

        assertThat(claim(settled)).isInstanceOf(Claim.Settled.class);
        assertThat(claim(pending)).isInstanceOf(Claim.Unknown.class);
        assertThat(answer(store.renew(List.of(new Renewal(lease, HOUR))))).containsExactly(lease);
        assertThat(claim(pending)).isInstanceOf(Claim.InFlight.class);
        assertThat(answer(store.recordStep(lease, "step", new byte[] {1}))).isTrue();
        assertThat(answer(store.find(pending.digest())).orElseThrow().steps()).containsOnlyKeys("step");
        settle(lease, HOUR);
        assertThat(claim(pending)).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void anExpiredKeyOfAnOldGenerationIsClaimedInTheCurrentOneWithALargerToken() throws SQLException {
        Key key = Key.of("tenant", "expired");
        fill(2000, HOUR.multipliedBy(20));
        Lease first = acquire(key);
        Retention brief = Retention.of(HOUR).withAudit(HOUR.multipliedBy(20));
        assertThat(answer(store.settle(first, DONE, brief))).isTrue();
        rotate();
        assertThat(rowsOf(key)).isOne();

        Lease second = acquire(key);

        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(second.attempt()).isOne();
        assertThat(rowsOf(key)).isEqualTo(2);
        assertThat(claim(key)).isInstanceOf(Claim.InFlight.class);
        assertThat(answer(store.settle(first, DONE, Retention.of(HOUR)))).isFalse();
        assertThat(answer(store.find(key.digest())).orElseThrow().token()).isEqualTo(second.token());
    }

    /** A record that people may still look at is carried too, but its key may have been claimed anew meanwhile. */
    @Test
    void whatIsCarriedForPeopleDoesNotReplaceALaterLifeOfItsKey() throws SQLException {
        Key pending = Key.of("tenant", "claimed anew");
        Key settled = Key.of("tenant", "settled anew");
        fill(2000, PERIOD.plus(HOUR.multipliedBy(2)));
        Retention forPeople = Retention.of(HOUR).withAudit(HOUR.multipliedBy(1000));
        for (Key key : List.of(pending, settled)) {
            assertThat(answer(store.settle(acquire(key), DONE, forPeople))).isTrue();
        }
        rotate();
        Lease later = acquire(pending);
        settle(acquire(settled), HOUR.multipliedBy(1000));
        assertThat(rowsOf(pending)).isEqualTo(2);

        database.advance(HOUR.multipliedBy(3));
        settleDown();

        assertThat(rowsOf(pending)).isOne();
        assertThat(claim(settled)).isInstanceOf(Claim.Settled.class);
        assertThat(answer(store.settle(later, DONE, Retention.of(HOUR)))).isTrue();
        assertThat(claim(pending)).isInstanceOf(Claim.Settled.class);
    }

    /** Retention counts from the settle, which may come long after the generation was closed. */
    @Test
    void aGenerationIsEmptiedWhenTheLastRetentionIsOverAndNotBefore() throws SQLException {
        fill(2000, HOUR.multipliedBy(30));
        rotate();
        assertThat(occupied()).hasSize(1);
        rotate();
        assertThat(occupied()).hasSize(1);

        database.advance(HOUR.multipliedBy(10));
        settleDown();

        assertThat(occupied()).isEmpty();
    }

    @Test
    void whatIsPendingOrUnknownOrATombstoneIsCarriedOverBeforeAGenerationIsEmptied() throws SQLException {
        Key pending = Key.of("tenant", "pending");
        Key unknown = Key.of("tenant", "unknown");
        Key tombstone = Key.of("tenant", "tombstone");
        Lease lease = acquire(pending);
        assertThat(answer(store.abandon(acquire(unknown)))).isTrue();
        assertThat(answer(store.settle(
                        acquire(tombstone), DONE, Retention.of(HOUR).withTombstone(HOUR.multipliedBy(1000)))))
                .isTrue();
        fill(2000, HOUR);
        for (int i = 0; i < 6; i++) {
            rotate();
        }

        assertThat(rows()).isEqualTo(3);
        assertThat(claim(unknown)).isInstanceOf(Claim.Unknown.class);
        assertThat(claim(tombstone)).isInstanceOf(Claim.Expired.class);
        assertThat(TestPostgres.number(
                        pool, "SELECT octet_length(body) FROM public.semel_key WHERE free_at IS NOT NULL"))
                .isZero();
        settle(lease, HOUR);
        assertThat(claim(pending)).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void retentionsOfMinutesDaysAndAMonthCoexist() throws SQLException {
        Key minutes = Key.of("tenant", "one-time password");
        Key days = Key.of("tenant", "payment");
        Key month = Key.of("tenant", "report");
        settle(acquire(minutes), Duration.ofMinutes(5));
        settle(acquire(days), Duration.ofHours(72));
        settle(acquire(month), Duration.ofDays(30));
        fill(2000, Duration.ofMinutes(5));
        for (int i = 0; i < 5; i++) {
            rotate();
        }
        assertThat(answer(store.find(minutes.digest()))).isEmpty();
        assertThat(claim(days)).isInstanceOf(Claim.Settled.class);
        assertThat(claim(month)).isInstanceOf(Claim.Settled.class);
        for (int i = 0; i < 5; i++) {
            rotate();
        }
        assertThat(answer(store.find(days.digest()))).isEmpty();
        assertThat(claim(month)).isInstanceOf(Claim.Settled.class);
        database.advance(Duration.ofDays(30));
        settleDown();
        assertThat(rows()).isZero();
    }

    /**
     * A slot that becomes free by itself soon is not worth half of its keys, although new keys might go there. The slots are
     * too large for their expired keys to be removed one by one.
     */
    @Test
    void manyNeededKeysAreCarriedOnlyWhenARotationIsLongOverdue() throws SQLException {
        for (int i = 0; i < 3; i++) {
            fill(3000, HOUR.multipliedBy(1000));
            fill(7500, HOUR);
            rotate();
        }
        assertThat(occupied()).hasSize(3);
        int last = slot();
        database.advance(PERIOD);
        settleDown();
        assertThat(slot()).isEqualTo(last);
        assertThat(occupied()).hasSize(3);

        database.advance(PERIOD);
        settleDown();

        assertThat(slot()).isNotEqualTo(last);
        assertThat(TestPostgres.number(
                        pool, "SELECT count(*) FROM public.semel_key WHERE expires_at > clock_timestamp()"))
                .isEqualTo(9000);
    }

    /** With checksums, the first read of a block that a checkpoint has written goes to the log as a whole block. */
    @Test
    void aSlotIsReadBeforeACheckpointMakesThatDear() throws SQLException {
        fill(12_000, HOUR);
        answer(store.purge(1));
        answer(store.purge(1));
        TestPostgres.execute(pool, "CHECKPOINT");
        long bytes = TestPostgres.number(pool, "SELECT pg_relation_size('public.semel_key_" + slot() + "')");
        long before = writtenToLog();

        rotate();

        assertThat(occupied()).isEmpty();
        assertThat(writtenToLog() - before).isLessThan(bytes / 10);
    }

    private static long writtenToLog() throws SQLException {
        return TestPostgres.number(pool, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')");
    }

    /** The race at the rotation: one claim has not committed where new keys went before. */
    @Test
    void aClaimUnderWayAtTheRotationIsNotOvertaken() throws SQLException {
        Key key = Key.of("tenant", "raced");
        int before = slot();
        try (Connection transaction = pool.getConnection()) {
            transaction.setAutoCommit(false);
            Lease lease = ((Claim.Acquired) joining().claim(transaction, request(key))).lease();
            database.advance(PERIOD);
            settleDown();
            assertThat(slot()).isNotEqualTo(before);
            assertThat(guarded()).isEqualTo(before);

            assertThat(claim(key)).isInstanceOf(Claim.InFlight.class);
            Key other = Key.of("tenant", "other");
            settle(acquire(other), HOUR);
            assertThat(claim(other)).isInstanceOf(Claim.Settled.class);
            assertThat(joining().settle(transaction, lease, DONE, Retention.of(HOUR)))
                    .isTrue();
            transaction.commit();
        }
        assertThat(claim(key)).isInstanceOf(Claim.Settled.class);
        settleDown();
        assertThat(guarded()).isNull();
        assertThat(claim(key)).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void aClaimUnderWayAtTheRotationThatIsRolledBackLeavesTheKeyFree() throws SQLException {
        Key key = Key.of("tenant", "rolled back");
        try (Connection transaction = pool.getConnection()) {
            transaction.setAutoCommit(false);
            assertThat(joining().claim(transaction, request(key))).isInstanceOf(Claim.Acquired.class);
            database.advance(PERIOD);
            settleDown();
            transaction.rollback();
        }

        Lease lease = acquire(key);

        assertThat(claim(key)).isInstanceOf(Claim.InFlight.class);
        settle(lease, HOUR);
        settleDown();
        assertThat(claim(key)).isInstanceOf(Claim.Settled.class);
    }

    /** A transaction that sees the table as it was before a rotation must not insert where new keys went then. */
    @Test
    void aTransactionWithAnOldSnapshotDoesNotClaimWhatOthersHave() throws SQLException {
        Key key = Key.of("tenant", "old snapshot");
        try (Connection transaction = pool.getConnection()) {
            transaction.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            transaction.setAutoCommit(false);
            try (Statement statement = transaction.createStatement()) {
                statement.executeQuery("SELECT 1").close();
            }
            rotate();
            acquire(key);

            assertThat(joining().claim(transaction, request(key))).isNotInstanceOf(Claim.Acquired.class);
            transaction.rollback();
            transaction.setAutoCommit(true);
            transaction.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Test
    void noClaimWaitsForASlotInUse() throws SQLException {
        fill(2000, HOUR.multipliedBy(20));
        rotate();
        assertThat(occupied()).hasSize(1);
        try (Connection transaction = pool.getConnection()) {
            transaction.setAutoCommit(false);
            joining().claim(transaction, request(Key.of("tenant", "long transaction")));
            database.advance(HOUR.multipliedBy(10));
            settleDown();
            assertThat(occupied()).hasSize(1);

            assertThat(claim(Key.of("tenant", "meanwhile"))).isInstanceOf(Claim.Acquired.class);
            transaction.rollback();
        }
        database.advance(HOUR);
        settleDown();
        assertThat(occupied()).isEmpty();
    }

    /** A node that found a slot unneeded, and slept while it was emptied and filled again. */
    @Test
    void aSleepingNodeDoesNotEmptyASlotThatIsInUseAgain() throws SQLException {
        // The first empty slot is the next one, so that the first of all is soon in use again.
        int slot = 0;
        while (slot() != slot) {
            rotate();
        }
        fill(10, HOUR);
        rotate();
        long closed = closedIn(slot);
        do {
            rotate();
        } while (slot() != slot);
        Key key = Key.of("tenant", "new");
        settle(acquire(key), HOUR.multipliedBy(1000));
        assertThat(empty(slot, closed)).isFalse();
        rotate();

        assertThat(empty(slot, closed)).isFalse();
        assertThat(claim(key)).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void severalNodesMayTryToRotateAtOnce() throws SQLException {
        Key key = Key.of("tenant", "kept");
        settle(acquire(key), HOUR.multipliedBy(1000));
        long turn = turn();
        database.advance(PERIOD);
        List<JdbcKeyStore> nodes = List.of(database.openStore(), database.openStore(), database.openStore());

        RaceTester.race(9, i -> answer(nodes.get(i % 3).purge(1000)));
        settleDown();

        assertThat(turn()).isEqualTo(turn + 2);
        assertThat(claim(key)).isInstanceOf(Claim.Settled.class);
        nodes.forEach(JdbcKeyStore::close);
    }

    @Test
    void everyKeyIsCountedOnce() throws SQLException {
        fill(10, HOUR.multipliedBy(1000));
        rotate();
        fill(10, HOUR.multipliedBy(1000));

        assertThat(answer(database.openStore().statistics()).keys()).containsEntry(KeyState.SUCCEEDED, 20L);
    }

    private void fill(int keys, Duration retention) {
        for (int left = keys; left > 0; left -= AT_ONCE) {
            List<CompletableFuture<Boolean>> settled = new ArrayList<>();
            for (int i = 0; i < Math.min(left, AT_ONCE); i++) {
                Key key = Key.of("filler", UUID.randomUUID().toString());
                settled.add(store.claim(request(key))
                        .thenCompose(
                                claim -> store.settle(((Claim.Acquired) claim).lease(), DONE, Retention.of(retention)))
                        .toCompletableFuture());
            }
            assertThat(settled).allMatch(CompletableFuture::join);
        }
    }

    @SuppressWarnings("unchecked")
    private TransactionJoining<Connection> joining() {
        return (TransactionJoining<Connection>) store;
    }

    private Claim claim(Key key) {
        return answer(store.claim(request(key)));
    }

    private Lease acquire(Key key) {
        return ((Claim.Acquired) claim(key)).lease();
    }

    private void settle(Lease lease, Duration retention) {
        assertThat(answer(store.settle(lease, DONE, Retention.of(retention)))).isTrue();
    }

    private static ClaimRequest request(Key key) {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(10))
                .build();
    }

    private static boolean empty(int slot, long turn) throws SQLException {
        return TestPostgres.number(pool, "SELECT public.semel_key_empty(" + slot + "::smallint, " + turn + ")::int")
                == 1;
    }

    private static long closedIn(int slot) throws SQLException {
        return TestPostgres.number(pool, "SELECT closed FROM public.semel_key_slot WHERE slot = " + slot);
    }

    private static int slot() throws SQLException {
        return (int) TestPostgres.number(pool, "SELECT slot FROM public.semel_key_rotation");
    }

    private static Integer guarded() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT guarded FROM public.semel_key_rotation")) {
            row.next();
            return row.getObject(1, Integer.class);
        }
    }

    private static long turn() throws SQLException {
        return TestPostgres.number(pool, "SELECT turn FROM public.semel_key_rotation");
    }

    private static long rows() throws SQLException {
        return TestPostgres.number(pool, "SELECT count(*) FROM public.semel_key WHERE state <> 4");
    }

    private static long rowsOf(Key key) throws SQLException {
        return TestPostgres.number(
                pool,
                "SELECT count(*) FROM public.semel_key WHERE digest = '"
                        + key.digest().asUuid() + "'");
    }

    /** The slots that are closed and not empty. */
    private static List<Integer> occupied() throws SQLException {
        List<Integer> slots = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("SELECT slot FROM public.semel_key_slot WHERE closed IS NOT NULL");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                slots.add(rows.getInt(1));
            }
        }
        return slots;
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
