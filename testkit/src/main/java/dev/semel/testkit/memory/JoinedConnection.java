package dev.semel.testkit.memory;

import java.sql.SQLException;

/** The type to unwrap from a connection whose transactions a {@link TransactionalMemoryStore} joins. */
interface JoinedConnection {

    /** The transaction that the connection is in. */
    MemoryTransaction transactionOf(TransactionalMemoryStore store) throws SQLException;
}
