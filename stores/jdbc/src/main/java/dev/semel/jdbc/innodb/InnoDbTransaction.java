package dev.semel.jdbc.innodb;

import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.dialect.Transactions;
import java.sql.Connection;
import java.sql.SQLException;

/** Several statements in one commit: a transaction of its own, or part of the one that the connection is in already. */
final class InnoDbTransaction {

    private InnoDbTransaction() {}

    static <T> T run(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        return connection.getAutoCommit() ? Transactions.run(connection, work::run) : work.run(connection);
    }
}
