package dev.semel.jdbc.postgres.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.erasure.Erasure;
import dev.semel.erasure.Erasure.Erased;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.postgres.TestDatabase;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is left for people of keys that have outlived their retention; on a plain table and in generations. */
abstract class AuditWindow {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration PERIOD = HOUR.multipliedBy(2);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration WINDOW = DAY.multipliedBy(7);
    private static final int MORE_THAN_ONE_STATEMENT = 10_000;
    private static final Retention BRIEF = Retention.of(HOUR);
    private static final Outcome DONE =
            Outcome.succeeded().status(201).payload("twelve bytes").build();

    private final boolean generations;
    private HikariDataSource pool;
    private TestDatabase database;
    private JdbcKeyStore store;

    AuditWindow(boolean generations) {
        this.generations = generations;
    }

    @BeforeEach
    void connect() {
        String name = TestPostgres.newDatabase();
        try (HikariDataSource admin = TestPostgres.pool(name, 1)) {
            TestDatabase.prepare(admin, name, Duration.ZERO);
        }
        pool = pool(name);
        database = TestDatabase.connect(
                pool,
                builder -> generations ? builder.generations(PERIOD).auditWindow(WINDOW) : builder.auditWindow(WINDOW));
        store = database.openStore();
    }

    HikariDataSource pool(String database) {
        return TestPostgres.pool(database, 16);
    }

    @AfterEach
    void disconnect() {
        store.close();
        database.close();
    }

    @Test
    void aPurgedRecordIsShownWithoutItsResponseAndItsKeyIsFree() {
        Key key = Key.of("tenant", "key");
        Lease lease = acquire(key);
        settle(lease, DONE, BRIEF);
        KeyRecord before = answer(store.find(key.digest())).orElseThrow();
        forget();

        KeyRecord found = answer(store.find(key.digest())).orElseThrow();

        assertThat(rowsOfKeys()).isZero();
        assertThat(found.audited().since()).isBetween(today().minusDays(1), today());
        assertThat(found.audited().bodyBytes()).isEqualTo(12);
        assertThat(found)
                .usingRecursiveComparison()
                .ignoringFields("parts.audited", "parts.outcome", "parts.state")
                .isEqualTo(before);
        assertThat(found.state()).isEqualTo(KeyState.EXPIRED);
        assertThat(found.traceId()).isEqualTo("trace");
        assertThat(found.outcome())
                .isEqualTo(
                        Outcome.succeeded().status(201).payload((byte[]) null).build());
        assertThat(list(KeyQuery.inState(KeyState.EXPIRED, 10)))
                .extracting(KeyRecord::key)
                .containsExactly(key);
        assertThat(list(KeyQuery.inState(KeyState.SUCCEEDED, 10))).isEmpty();
        assertThat(acquire(key).token()).isGreaterThan(lease.token());
        assertThat(answer(store.find(key.digest())).orElseThrow().audited()).isNull();
    }

    @Test
    void everyRecordIsKeptOnceByNodesThatPurgeTogether() {
        List<Key> keys = fill(MORE_THAN_ONE_STATEMENT);
        database.advance(HOUR.plus(PERIOD));
        try (JdbcKeyStore other = database.openStore()) {
            CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> purgeAll(other));
            purgeAll(store);
            beside.join();
        }
        forget();

        assertThat(rowsOfKeys()).isZero();
        assertThat(list(KeyQuery.builder(70).build()))
                .extracting(KeyRecord::key)
                .containsExactlyInAnyOrderElementsOf(keys);
        assertThat(count("SELECT count(*) FROM public.semel_key_audit")).isEqualTo(keys.size());
    }

    @Test
    void theAuditIsSearchedLikeTheKeys() {
        fill(500);
        acquireAndSettle(Key.of("other", "one"));
        acquireAndSettle(Key.of("other", "two"));
        forget();

        assertThat(list(KeyQuery.builder(1).scope("other").build()))
                .extracting(found -> found.key().value())
                .containsExactlyInAnyOrder("one", "two");
        assertThat(list(KeyQuery.builder(10)
                        .operation("charge")
                        .scope("other")
                        .value("two")
                        .build()))
                .hasSize(1);
        assertThat(list(KeyQuery.builder(10).operation("refund").scope("other").build()))
                .isEmpty();
    }

    @Test
    void aDayIsDroppedWhenAllOfItIsOlderThanTheWindow() {
        acquireAndSettle(Key.of("tenant", "key"));
        forget();
        LocalDate day = answer(store.find(Key.of("tenant", "key").digest()))
                .orElseThrow()
                .audited()
                .since();

        advanceTo(day.plusDays(7));
        purgeAll(store);
        assertThat(answer(store.find(Key.of("tenant", "key").digest()))).isPresent();

        advanceTo(day.plusDays(8));
        purgeAll(store);
        assertThat(answer(store.find(Key.of("tenant", "key").digest()))).isEmpty();
        assertThat(list(KeyQuery.builder(10).build())).isEmpty();
        assertThat(count("SELECT count(*) FROM pg_class WHERE relname = 'semel_key_audit_"
                        + day.toString().replace("-", "") + "'"))
                .isZero();
    }

    @Test
    void aNodeThatSleptForMonthsMissesNoPartition() {
        acquireAndSettle(Key.of("tenant", "key"));
        database.advance(DAY.multipliedBy(100));
        purgeAll(store);
        forget();

        assertThat(list(KeyQuery.builder(10).build())).hasSize(1);
    }

    @Test
    void aKeyThatIsNeededIsNeverMoved() {
        Key pending = Key.of("tenant", "pending");
        Key kept = Key.of("tenant", "kept");
        Key tombstone = Key.of("tenant", "tombstone");
        acquire(pending);
        settle(acquire(kept), DONE, Retention.of(DAY.multipliedBy(30)));
        settle(acquire(tombstone), DONE, BRIEF.withTombstone(DAY.multipliedBy(30)));
        fill(100);
        forget();

        assertThat(count("SELECT count(*) FROM public.semel_key_audit")).isEqualTo(100);
        assertThat(claim(pending)).isInstanceOf(Claim.Unknown.class);
        assertThat(claim(kept)).isInstanceOf(Claim.Settled.class);
        assertThat(claim(tombstone)).isInstanceOf(Claim.Expired.class);
    }

    /** The purge fails in the middle, as if the node had been killed, and another one goes on. */
    @Test
    void whatBreaksOffLosesNothingAndShowsNothingTwice() {
        List<Key> keys = fill(MORE_THAN_ONE_STATEMENT);
        String last = first("SELECT key FROM public.semel_key ORDER BY ctid DESC LIMIT 1");
        TestPostgres.execute(
                pool,
                "CREATE FUNCTION public.break_off() RETURNS trigger LANGUAGE plpgsql AS" + " $$ BEGIN IF NEW.key = '"
                        + last + "' THEN RAISE EXCEPTION 'broken off'; END IF; RETURN NEW; END $$",
                "CREATE TRIGGER break_off BEFORE INSERT ON public.semel_key_audit FOR EACH ROW"
                        + " EXECUTE FUNCTION public.break_off()");
        database.advance(HOUR.plus(PERIOD));
        assertThatThrownBy(() -> purgeUntilAllIsGone(store)).hasMessageContaining("broken off");
        assertThat(count("SELECT count(*) FROM public.semel_key_audit")).isLessThan(keys.size());
        assertThat(list(KeyQuery.builder(1000).build()))
                .extracting(KeyRecord::key)
                .containsExactlyInAnyOrderElementsOf(keys);

        TestPostgres.execute(pool, "DROP TRIGGER break_off ON public.semel_key_audit");
        try (JdbcKeyStore other = database.openStore()) {
            purgeUntilAllIsGone(other);
        }

        assertThat(list(KeyQuery.builder(1000).build()))
                .extracting(KeyRecord::key)
                .containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void aLockedAuditTableDelaysNoClaimOrSettle() throws SQLException {
        acquireAndSettle(Key.of("tenant", "expired"));
        database.advance(HOUR.plus(PERIOD));
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE public.semel_key_audit IN ACCESS EXCLUSIVE MODE");

            CompletableFuture<?> purge = store.purge(10).toCompletableFuture();
            acquireAndSettle(Key.of("tenant", "new"));
            acquireAndSettle(Key.of("tenant", "expired"));

            connection.rollback();
            connection.setAutoCommit(true);
            purge.join();
        }
    }

    @Test
    void anErasureTakesTheAuditWithItAndLeavesANote() {
        fill(300);
        forget();
        acquireAndSettle(Key.of("tenant", "key-1"));
        acquireAndSettle(Key.of("other", "key"));

        assertThat(Erasure.ofScope(store, "tenant", new DecisionLog.Person("test", null), "asked for"))
                .isEqualTo(new Erased(300, 0));

        assertThat(list(KeyQuery.builder(100).build()))
                .extracting(found -> found.key().scope())
                .containsExactly("other");
        assertThat(count("SELECT count(*) FROM public.semel_key_audit WHERE scope = 'tenant'"))
                .isZero();
        assertThat(count("SELECT count(*) FROM public.semel_key_decision WHERE decided_by = 'test'"
                        + " AND after_it = '300 records removed, 0 keys left'"
                        + " AND subject = 'sha256:' || encode(sha256('tenant'), 'hex')"))
                .isEqualTo(1);
    }

    @Test
    void aStoreWithoutTheWindowShowsWhatIsThere() {
        acquireAndSettle(Key.of("tenant", "key"));
        forget();

        try (JdbcKeyStore plain = JdbcKeyStore.builder(pool).schema("public").build()) {
            assertThat(answer(plain.find(Key.of("tenant", "key").digest()))).isPresent();
        }
    }

    private void forget() {
        database.advance(HOUR.plus(PERIOD));
        purgeUntilAllIsGone(store);
    }

    /** Generations turn until what has outlived its retention is gone from all of them. */
    private void purgeUntilAllIsGone(JdbcKeyStore by) {
        for (int turn = 0; turn < 4; turn++) {
            purgeAll(by);
            if (generations) {
                database.advance(PERIOD);
            }
        }
        purgeAll(by);
    }

    private static void purgeAll(JdbcKeyStore by) {
        while (answer(by.purge(1000)).more()) {
            // until there is nothing left to do
        }
    }

    private List<Key> fill(int count) {
        List<Key> keys = IntStream.range(0, count)
                .mapToObj(i -> Key.of("tenant", "key-" + i))
                .toList();
        List<CompletableFuture<Boolean>> settled = keys.stream()
                .map(key -> store.claim(request(key))
                        .thenCompose(claim -> store.settle(((Claim.Acquired) claim).lease(), DONE, BRIEF))
                        .toCompletableFuture())
                .toList();
        assertThat(settled).allMatch(CompletableFuture::join);
        return keys;
    }

    private List<KeyRecord> list(KeyQuery query) {
        List<KeyRecord> found = new ArrayList<>();
        KeyQuery next = query;
        while (true) {
            KeyPage page = answer(store.page(next));
            found.addAll(page.records());
            String cursor = page.next();
            if (cursor == null) {
                return found;
            }
            next = next.after(cursor);
        }
    }

    private void advanceTo(LocalDate day) {
        database.advance(DAY.multipliedBy(ChronoUnit.DAYS.between(today(), day)));
    }

    private LocalDate today() {
        return Instant.ofEpochSecond(count("SELECT extract(epoch FROM clock_timestamp())::bigint"))
                .atZone(ZoneOffset.UTC)
                .toLocalDate();
    }

    private long rowsOfKeys() {
        return count("SELECT count(*) FROM public.semel_key WHERE state <> 4");
    }

    private long count(String query) {
        return Long.parseLong(first(query));
    }

    private String first(String query) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    private void acquireAndSettle(Key key) {
        settle(acquire(key), DONE, BRIEF);
    }

    private void settle(Lease lease, Outcome outcome, Retention retention) {
        assertThat(answer(store.settle(lease, outcome, retention))).isTrue();
    }

    private Lease acquire(Key key) {
        return ((Claim.Acquired) claim(key)).lease();
    }

    private Claim claim(Key key) {
        return answer(store.claim(request(key)));
    }

    private static ClaimRequest request(Key key) {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(HOUR)
                .traceId("trace")
                .build();
    }

    private static <T extends @Nullable Object> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
