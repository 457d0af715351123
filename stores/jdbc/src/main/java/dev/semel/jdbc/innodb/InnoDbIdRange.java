package dev.semel.jdbc.innodb;

import dev.semel.jdbc.dialect.Statements;
import dev.semel.jdbc.dialect.TableName;
import java.sql.Connection;
import java.sql.SQLException;

/** The smallest and the largest id of a table; of an empty one, 1 and 0. */
record InnoDbIdRange(long first, long last) {

    static InnoDbIdRange of(Connection connection, TableName table) throws SQLException {
        return Statements.PLAIN.one(
                connection,
                table.in("SELECT coalesce(min(id), 1), coalesce(max(id), 0) FROM {key}"),
                row -> new InnoDbIdRange(row.getLong(1), row.getLong(2)));
    }

    long span() {
        return last - first + 1;
    }
}
