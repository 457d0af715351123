package dev.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testkit.crash.CrashingNode;

/** A process with a store in a relational database that a test kills. */
final class JdbcNode {

    private JdbcNode() {}

    public static void main(String[] args) throws InterruptedException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[0]);
        config.setUsername(args[1]);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcKeyStore store = JdbcKeyStore.builder(pool).table(args[2]).build()) {
            CrashingNode.run(store);
        }
    }
}
