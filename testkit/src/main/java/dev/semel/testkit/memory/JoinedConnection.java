package dev.semel.testkit.memory;

import java.sql.SQLException;

/** What a connection can be unwrapped to whose transactions a {@link TransactionalMemoryStore} joins. */
interface JoinedConnection {

    /** The transaction that the connection is in. */
    MemoryTransaction transactionOf(TransactionalMemoryStore store) throws SQLException;
}
