package dev.semel.jdbc.postgres.generations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.postgres.TestDatabase;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging.Purged;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slots of old generations are emptied when, and only when, nothing in them is needed. */
@Timeout(120)
class OldSlotsTest {

    private static final Duration PERIOD = Duration.ofHours(12);
    private static final int KEYS = 3_000;

    private String name;
    private HikariDataSource pool;
    private TestDatabase database;
    private JdbcKeyStore store;

    @BeforeEach
    void connect() {
        name = TestPostgres.newDatabase();
        try (HikariDataSource admin = TestPostgres.pool(name, 1)) {
            TestDatabase.prepare(admin, name, Duration.ZERO);
        }
        pool = TestPostgres.pool(name, 8);
        database = TestDatabase.connect(pool, builder -> builder.generations(PERIOD));
        store = database.openStore();
    }

    @AfterEach
    void disconnect() {
        store.close();
        database.close();
    }

    @Test
    void aRoleWithShortStatementsEmptiesAnOldSlotAllTheSame() {
        fillSlotZero();
        rotate();
        slowClock();
        TestPostgres.execute(pool, "ALTER ROLE postgres IN DATABASE " + name + " SET statement_timeout = '700ms'");
        pool.getHikariPoolMXBean().softEvictConnections();

        purgeUntilNothingIsLeftToDo();

        assertThat(rows(0)).isZero();
    }

    @Test
    void aSlotThatCannotBeEmptiedKeepsNoOtherOneFromBeingEmptied() {
        Key unknown = unknown();
        rotate();
        fill();
        rotate();
        TestPostgres.execute(
                pool,
                "CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN RAISE EXCEPTION 'broken'; END $$",
                "CREATE TRIGGER refuse BEFORE DELETE ON public.semel_key_0 FOR EACH ROW EXECUTE FUNCTION public.refuse()");
        database.advance(PERIOD.dividedBy(4));

        assertThat(rows(1)).isEqualTo(KEYS);
        assertThat(answer(store.purge(1))).isEqualTo(new Purged(KEYS, true));
        assertThat(rows(1)).isZero();
        assertThat(claim(unknown)).isInstanceOf(Claim.Unknown.class);
        database.advance(PERIOD.dividedBy(4));
        assertThatThrownBy(() -> answer(store.purge(1))).hasMessageContaining("broken");
    }

    @Test
    void aNodeDoesNotEmptyASlotAfterARestoreHasLostWhatItCarried() throws SQLException {
        Key unknown = unknown();
        fill();
        rotate();
        copy("semel_key_%s", "copy_%s");
        try (Connection reader = pool.getConnection();
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("LOCK TABLE public.semel_key_0 IN ACCESS SHARE MODE");
            database.advance(PERIOD.dividedBy(4));
            answer(store.purge(1));
            assertThat(rows(0)).as("not emptied yet").isPositive();
            assertThat(TestPostgres.number(pool, "SELECT count(*) FROM public.semel_key_1 WHERE state = 1"))
                    .as("carried")
                    .isOne();
            reader.rollback();
        }

        TestPostgres.execute(
                pool,
                "TRUNCATE public.semel_key_0, public.semel_key_1, public.semel_key_slot, public.semel_key_rotation");
        copy("copy_%s", "semel_key_%s");
        database.advance(PERIOD.dividedBy(4));
        purgeUntilNothingIsLeftToDo();

        assertThat(rows(0)).isZero();
        assertThat(claim(unknown)).isInstanceOf(Claim.Unknown.class);
    }

    /** As a restore would: everything that says where keys are. */
    private void copy(String from, String to) {
        for (String part : List.of("0", "1", "slot", "rotation")) {
            TestPostgres.execute(
                    pool,
                    "CREATE TABLE IF NOT EXISTS public." + to.formatted(part) + " (LIKE public." + from.formatted(part)
                            + ")",
                    "INSERT INTO public." + to.formatted(part) + " SELECT * FROM public." + from.formatted(part));
        }
    }

    private void fillSlotZero() {
        unknown();
        fill();
    }

    private void fill() {
        List<CompletableFuture<Boolean>> settled = IntStream.range(0, KEYS)
                .mapToObj(i -> store.claim(request(Key.of("tenant", Key.randomValue())))
                        .thenCompose(claim -> store.settle(
                                ((Claim.Acquired) claim).lease(),
                                Outcome.succeeded().build(),
                                Retention.of(Duration.ofMinutes(1))))
                        .toCompletableFuture())
                .toList();
        assertThat(settled).allMatch(CompletableFuture::join);
    }

    private Key unknown() {
        Key key = Key.of("tenant", "unknown");
        Lease lease = ((Claim.Acquired) claim(key)).lease();
        assertThat(answer(store.abandon(lease))).isTrue();
        return key;
    }

    /** New keys go to the next slot from now on; nothing is emptied yet. */
    private void rotate() {
        long turn = turn();
        database.advance(PERIOD);
        while (turn() < turn + 2) {
            answer(store.purge(1));
        }
    }

    private long turn() {
        return TestPostgres.number(pool, "SELECT turn FROM public.semel_key_rotation");
    }

    private long rows(int slot) {
        return TestPostgres.number(pool, "SELECT count(*) FROM public.semel_key_" + slot);
    }

    /** A look at thousands of keys takes seconds. */
    private void slowClock() {
        TestPostgres.execute(
                pool,
                "CREATE OR REPLACE FUNCTION shifted.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS"
                        + " 'BEGIN PERFORM pg_sleep(0.0005);"
                        + " RETURN pg_catalog.clock_timestamp() + (SELECT shift FROM shifted.clock); END'");
    }

    private void purgeUntilNothingIsLeftToDo() {
        for (int i = 0; i < 20 && rows(0) > 0; i++) {
            database.advance(PERIOD.dividedBy(8).plusSeconds(2));
            answer(store.purge(1));
        }
    }

    private Claim claim(Key key) {
        return answer(store.claim(request(key)));
    }

    private static ClaimRequest request(Key key) {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(10))
                .build();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
