package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.sqlite.TestSqlite;
import dev.semel.testkit.crash.CrashingNode;
import dev.semel.testservers.TestMariaDb;
import dev.semel.testservers.TestMySql;
import dev.semel.testservers.TestPostgres;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A node that is killed under load loses nothing that it was told is stored (G4, G7). */
class NodeCrashTest {

    private static final int KILLS = Integer.getInteger("semel.test.kills", 3);
    private static final int SETTLES_BEFORE_KILL = 300;

    @Test
    void sqliteKeepsEveryAcknowledgedWrite(@TempDir Path directory) throws Exception {
        try (HikariDataSource pool = TestSqlite.pool(directory.resolve("keys.db"))) {
            survivesKills(pool);
        }
    }

    @Test
    void postgresKeepsEveryAcknowledgedWrite() throws Exception {
        try (HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4)) {
            survivesKills(pool);
        }
    }

    @Test
    void mariaDbKeepsEveryAcknowledgedWrite() throws Exception {
        try (HikariDataSource pool = TestMariaDb.newDatabase(4)) {
            survivesKills(pool);
        }
    }

    @Test
    @EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
    void mySqlKeepsEveryAcknowledgedWrite() throws Exception {
        try (HikariDataSource pool = TestMySql.newDatabase(4)) {
            survivesKills(pool);
        }
    }

    private static void survivesKills(HikariDataSource pool) throws Exception {
        for (int kill = 0; kill < KILLS; kill++) {
            String table = "kill_" + kill;
            try (JdbcKeyStore store =
                    JdbcKeyStore.builder(pool).table(table).createIfMissing().build()) {
                CrashingNode.killAndVerify(
                        store,
                        SETTLES_BEFORE_KILL,
                        JdbcNode.class,
                        pool.getJdbcUrl(),
                        String.valueOf(pool.getUsername()),
                        table);
            }
        }
    }
}
