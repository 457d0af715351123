package dev.semel.jdbc.dialect;

import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A key table that can claim many keys within a transaction of the application. */
public interface SharedKeyTable extends JoinableKeyTable {

    /** Claims keys, in the order of their digests, without waiting for another transaction, and without breaking this one. */
    List<Claim> claimJoined(Connection connection, List<ClaimRequest> requests) throws SQLException;

    void savepoint(Connection connection) throws SQLException;

    void rollBackToSavepoint(Connection connection) throws SQLException;
}
