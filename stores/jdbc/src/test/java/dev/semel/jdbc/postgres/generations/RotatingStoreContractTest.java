package dev.semel.jdbc.postgres.generations;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.postgres.ShiftedClockContract;
import dev.semel.jdbc.postgres.TestDatabase;
import dev.semel.testservers.PgBouncer;
import dev.semel.testservers.TestPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The contract on a table whose generations change all the time, and are emptied as soon as they are closed; behind
 * PgBouncer where that is installed.
 *
 * <p>It stands still for tests that count what is purged, or what is on a page, and for one in which all of many must not
 * find a key in the hands of somebody else for a moment.
 */
class RotatingStoreContractTest extends ShiftedClockContract {

    private static final ReentrantLock TURN = new ReentrantLock(true);

    private static HikariDataSource pool;
    private static @Nullable PgBouncer pooler;
    private static JdbcKeyStore rotating;
    private static volatile boolean stopped;
    private static CompletableFuture<Void> rotation;

    @BeforeAll
    static void connect() throws IOException {
        String name = TestPostgres.newDatabase();
        try (HikariDataSource admin = TestPostgres.pool(name, 1)) {
            TestDatabase.prepare(admin, name, Duration.ofHours(-4));
        }
        if (PgBouncer.isInstalled()) {
            PgBouncer started = PgBouncer.start(TestPostgres.server().getPort());
            pooler = started;
            pool = TestPostgres.pool("jdbc:postgresql://localhost:" + started.port() + "/" + name, "postgres", 20);
        } else {
            pool = TestPostgres.pool(name, 20);
        }
        TestDatabase database = connect(pool, builder -> builder.generations(Duration.ofDays(100)));
        rotating = database.builder().generations(Duration.ofNanos(1000)).build();
        stopped = false;
        rotation = CompletableFuture.runAsync(() -> {
            while (!stopped) {
                turn();
            }
        });
    }

    private static void turn() {
        TURN.lock();
        try {
            rotating.purge(1).toCompletableFuture().join();
        } finally {
            TURN.unlock();
        }
    }

    @AfterAll
    static void stop() throws IOException {
        // However few tests were chosen to run.
        await().atMost(Duration.ofMinutes(1)).until(() -> turns() > 100 || rotation.isDone());
        stopped = true;
        rotation.join();
        rotating.close();
        disconnect();
        if (pooler != null) {
            pooler.close();
        }
    }

    private static long turns() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT turn FROM public.semel_key_rotation")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** A key that is carried to another slot while pages are turned, or keys counted, can be missed, or seen twice. */
    private static void standingStill(Runnable test) {
        TURN.lock();
        try (JdbcKeyStore ending = JdbcKeyStore.builder(pool).schema("public").build()) {
            while (ending.purge(1).toCompletableFuture().join().more()) {
                // what is due comes first
            }
            test.run();
        } finally {
            TURN.unlock();
        }
    }

    @Test
    @Override
    public void purgeRemovesWhatHasOutlivedItsRetention() {
        standingStill(super::purgeRemovesWhatHasOutlivedItsRetention);
    }

    @Test
    @Override
    public void purgeIsBounded() {
        standingStill(super::purgeIsBounded);
    }

    @Test
    @Override
    public void racingPurgesRemoveEachRecordOnce() {
        standingStill(super::racingPurgesRemoveEachRecordOnce);
    }

    @Test
    @Override
    public void theWholeRecordOfASettledKeyIsKeptThroughPurges() {
        standingStill(super::theWholeRecordOfASettledKeyIsKeptThroughPurges);
    }

    @Test
    @Override
    public void purgeNeverTouchesTheNextLifeOfAnExpiredKey() {
        standingStill(super::purgeNeverTouchesTheNextLifeOfAnExpiredKey);
    }

    @Test
    @Override
    public void exactlyOneOfManyRacersTakesOverALapsedLease() {
        standingStill(super::exactlyOneOfManyRacersTakesOverALapsedLease);
    }

    /** An expired key that a rotation has removed is forgotten, and an import of an earlier life of it is welcome. */
    @Test
    @Override
    public void aKeyThatIsFreeHereIsTakenOverUnlessItWasUsedLater() {
        standingStill(super::aKeyThatIsFreeHereIsTakenOverUnlessItWasUsedLater);
    }

    /** What the key was in its life before may be in the slot before, and is erased there. */
    @Test
    @Override
    public void aKeyThatHasMovedOnIsNotErased() {
        standingStill(super::aKeyThatHasMovedOnIsNotErased);
    }

    @Test
    @Override
    public void statisticsCountTheKeysOfEachState() {
        standingStill(super::statisticsCountTheKeysOfEachState);
    }

    @Test
    @Override
    public void pagesFilterByState() {
        standingStill(super::pagesFilterByState);
    }

    @Test
    @Override
    public void pagesFilterByOperation() {
        standingStill(super::pagesFilterByOperation);
    }

    @Test
    @Override
    public void pagesFilterByScopeAndValue() {
        standingStill(super::pagesFilterByScopeAndValue);
    }

    @Test
    @Override
    public void pagesShowEachKeyExactlyOnce() {
        standingStill(super::pagesShowEachKeyExactlyOnce);
    }

    @Test
    @Override
    public void aScopeIsErasedWithAllThatIsSettledOrExpiredInIt() {
        standingStill(super::aScopeIsErasedWithAllThatIsSettledOrExpiredInIt);
    }

    @Test
    @Override
    public void anErasureLeavesKeysOfOtherScopes() {
        standingStill(super::anErasureLeavesKeysOfOtherScopes);
    }

    @Test
    @Override
    public void anErasureLeavesWhatIsPendingLapsedOrUnknown() {
        standingStill(super::anErasureLeavesWhatIsPendingLapsedOrUnknown);
    }
}
