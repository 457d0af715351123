package dev.semel.jdbc;

import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Renewal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes of attempts, as statements of one database.
 *
 * <p>Lists are sorted by digest and hold each key once; answers are in the same order. Each method is one transaction of
 * its own, on a connection in autocommit mode.
 */
interface KeyTable {

    /** {@code null} for a key that changed hands while it was looked at, and has to be claimed again. */
    List<@Nullable Claim> claim(Connection connection, List<ClaimRequest> requests) throws SQLException;

    /** What can be said of a key without waiting, although a transaction of the application holds its row. */
    Claim look(Connection connection, ClaimRequest request) throws SQLException;

    boolean[] settle(Connection connection, List<Settlement> settlements) throws SQLException;

    boolean[] renew(Connection connection, List<Renewal> renewals) throws SQLException;

    boolean[] mark(Connection connection, List<Mark> marks) throws SQLException;

    boolean[] recordSteps(Connection connection, List<StepResult> steps) throws SQLException;
}
