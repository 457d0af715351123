package dev.semel.jdbc.dialect;

import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A key table whose writes can also be part of a transaction of the application: on a connection that is not in
 * autocommit mode. This requires row-level locking.
 */
public interface JoinableKeyTable extends KeyTable {

    /** Claims within the caller's transaction, without waiting for another one, and without breaking it. */
    Claim claimJoined(Connection connection, ClaimRequest request) throws SQLException;

    /** Settles within the caller's transaction; {@code false} means that the lease is lost. */
    boolean settleJoined(Connection connection, SettleRequest settlement) throws SQLException;
}
