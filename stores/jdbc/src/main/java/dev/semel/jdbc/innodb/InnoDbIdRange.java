package dev.semel.jdbc.innodb;

import dev.semel.jdbc.dialect.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The smallest and the largest id of a table; of an empty one, 1 and 0. */
record InnoDbIdRange(long first, long last) {

    static InnoDbIdRange of(Connection connection, TableName table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        table.in("SELECT coalesce(min(id), 1), coalesce(max(id), 0) FROM {key}"))) {
            row.next();
            return new InnoDbIdRange(row.getLong(1), row.getLong(2));
        }
    }

    long span() {
        return last - first + 1;
    }
}
