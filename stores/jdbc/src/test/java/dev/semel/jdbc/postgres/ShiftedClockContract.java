package dev.semel.jdbc.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.StoreContract;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;

/** The contract on a database whose clock is hours away from that of the application. */
public abstract class ShiftedClockContract extends StoreContract {

    private static TestDatabase database;

    protected static void connect(HikariDataSource pool) {
        database = TestDatabase.connect(pool);
    }

    protected static TestDatabase connect(HikariDataSource pool, UnaryOperator<JdbcKeyStore.Builder> settings) {
        database = TestDatabase.connect(pool, settings);
        return database;
    }

    @AfterAll
    protected static void disconnect() {
        if (database != null) {
            database.close();
            database = null;
        }
    }

    @Override
    protected KeyStore openStore() {
        return database.openStore();
    }

    @Override
    protected void clear() {
        database.clear();
    }

    @Override
    protected void advance(Duration duration) {
        database.advance(duration);
    }
}
