package dev.semel.jdbc;

import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.innodb.MariaDbDialect;
import dev.semel.jdbc.innodb.MySqlDialect;
import dev.semel.jdbc.postgres.PostgresDialect;
import dev.semel.jdbc.sqlite.SqliteDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** The databases that can keep keys. */
final class Dialects {

    private static final List<SqlDialect> ALL =
            List.of(new PostgresDialect(), new MariaDbDialect(), new MySqlDialect(), new SqliteDialect());

    private Dialects() {}

    static SqlDialect named(String name) {
        return ALL.stream()
                .filter(dialect -> dialect.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("database must be one of " + names() + ", got " + name));
    }

    static SqlDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return ALL.stream()
                .filter(dialect -> dialect.product().equals(product))
                .findFirst()
                .orElseThrow(() -> new UnsupportedDatabaseException(product, names()));
    }

    private static String names() {
        return ALL.stream().map(SqlDialect::name).collect(Collectors.joining(", "));
    }
}
