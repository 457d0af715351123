package dev.semel.examples.recipes;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testservers.TestPostgres;

/** A database of its own for a test, with an engine on it. */
final class RecipeStore implements AutoCloseable {

    private final HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
    private final JdbcKeyStore store =
            JdbcKeyStore.builder(pool).createIfMissing().build();
    private final Semel semel = Semel.builder(store).build();

    HikariDataSource pool() {
        return pool;
    }

    JdbcKeyStore store() {
        return store;
    }

    Semel semel() {
        return semel;
    }

    long count(String table) {
        return TestPostgres.number(pool, "SELECT count(*) FROM " + table);
    }

    /** As if the time of all leases had passed. */
    void endLeases() {
        TestPostgres.execute(pool, "UPDATE semel_key SET lease_until = claimed_at");
    }

    @Override
    public void close() {
        semel.close();
        store.close();
        pool.close();
    }
}
