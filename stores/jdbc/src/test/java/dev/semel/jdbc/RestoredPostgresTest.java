package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestPostgres;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

/** A PostgreSQL database that is dropped, made anew, and filled from a dump, as pg_restore --clean does. */
class RestoredPostgresTest extends RestoreContract {

    private final HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 8);

    @AfterEach
    void close() {
        pool.close();
    }

    @Override
    DataSource dataSource() {
        return pool;
    }

    @Override
    void dump() {
        TestPostgres.execute(
                pool,
                "CREATE SCHEMA dump",
                "CREATE TABLE dump.semel_key (LIKE public.semel_key INCLUDING ALL)",
                "INSERT INTO dump.semel_key SELECT * FROM public.semel_key",
                "CREATE TABLE dump.semel_key_epoch (LIKE public.semel_key_epoch INCLUDING ALL)",
                "INSERT INTO dump.semel_key_epoch SELECT * FROM public.semel_key_epoch");
    }

    @Override
    void restore() {
        TestPostgres.execute(pool, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
        JdbcSchema.of("postgres", null, "semel_key").createOrUpgrade(pool);
        TestPostgres.execute(
                pool,
                "INSERT INTO public.semel_key SELECT * FROM dump.semel_key",
                "CREATE TABLE IF NOT EXISTS public.semel_key_epoch (LIKE dump.semel_key_epoch INCLUDING ALL)",
                "INSERT INTO public.semel_key_epoch SELECT * FROM dump.semel_key_epoch");
    }
}
