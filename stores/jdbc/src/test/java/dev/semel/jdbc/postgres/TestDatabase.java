package dev.semel.jdbc.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * A database with the schema in it, whose clock can be set: it shadows the functions that tell the time.
 *
 * <p>So the time of the database differs from that of the application by as much as a test likes, and no test has to
 * wait.
 */
public final class TestDatabase implements AutoCloseable {

    private final HikariDataSource pool;
    private final UnaryOperator<JdbcKeyStore.Builder> settings;

    private TestDatabase(HikariDataSource pool, UnaryOperator<JdbcKeyStore.Builder> settings) {
        this.pool = pool;
        this.settings = settings;
    }

    /** Makes the schema and the clock; {@code admin} must lead to the database without a pooler in between. */
    public static void prepare(HikariDataSource admin, String database, Duration shift) {
        TestPostgres.execute(
                admin,
                "CREATE SCHEMA shifted",
                "CREATE TABLE shifted.clock (shift interval NOT NULL)",
                "INSERT INTO shifted.clock VALUES (interval '" + shift.toMillis() + " ms')",
                "CREATE FUNCTION shifted.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS"
                        + " 'SELECT pg_catalog.clock_timestamp() + shift FROM shifted.clock'",
                "CREATE FUNCTION shifted.now() RETURNS timestamptz LANGUAGE sql STABLE AS"
                        + " 'SELECT pg_catalog.now() + shift FROM shifted.clock'",
                "ALTER DATABASE " + database + " SET search_path = shifted, pg_catalog, public");
    }

    public static TestDatabase connect(HikariDataSource pool) {
        return connect(pool, builder -> builder);
    }

    public static TestDatabase connect(HikariDataSource pool, UnaryOperator<JdbcKeyStore.Builder> settings) {
        TestDatabase database = new TestDatabase(pool, settings);
        database.builder().createIfMissing().build().close();
        return database;
    }

    public JdbcKeyStore.Builder builder() {
        return settings.apply(JdbcKeyStore.builder(pool).schema("public"));
    }

    public JdbcKeyStore openStore() {
        return builder().build();
    }

    public void clear() {
        TestPostgres.execute(pool, "TRUNCATE public.semel_key");
    }

    public void advance(Duration duration) {
        TestPostgres.execute(
                pool, "UPDATE shifted.clock SET shift = shift + interval '" + duration.toMillis() + " ms'");
    }

    @Override
    public void close() {
        pool.close();
    }
}
