package dev.semel.jdbc;

import dev.semel.Outcome;
import dev.semel.jdbc.dialect.JoinableKeyTable;
import dev.semel.jdbc.dialect.SettleRequest;
import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.SqlFailure;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.lane.LaneLimits;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.TransactionJoining;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.util.Failures;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A store in a database with row-level locks, so that its writes can be part of a transaction of the application. */
sealed class TransactionalJdbcKeyStore extends JdbcKeyStore implements TransactionJoining<Connection>
        permits SharedJdbcKeyStore {

    private final SqlDialect dialect;
    private final JoinableKeyTable table;

    TransactionalJdbcKeyStore(
            DataSource dataSource,
            SqlDialect dialect,
            JoinableKeyTable table,
            TableInspection inspection,
            TableName name,
            LaneLimits limits) {
        super(dataSource, dialect, table, inspection, name, limits);
        this.dialect = dialect;
        this.table = table;
    }

    @Override
    public Class<Connection> transactionType() {
        return Connection.class;
    }

    @Override
    public Claim claim(Connection transaction, ClaimRequest request) {
        return ask("a claim within a transaction failed", () -> table.claimJoined(transaction, request));
    }

    @Override
    public boolean isTransient(Throwable failure) {
        return Failures.causes(failure)
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .anyMatch(cause -> cause.getSQLState() != null && dialect.failure(cause) != SqlFailure.REFUSED);
    }

    @Override
    public boolean settle(Connection transaction, Lease lease, Outcome outcome, Retention retention) {
        SettleRequest request = request(lease, outcome, retention);
        return ask("a settle within a transaction failed", () -> table.settleJoined(transaction, request));
    }

    static SettleRequest request(Lease lease, Outcome outcome, Retention retention) {
        PayloadTooLargeException tooLarge = tooLarge(outcome.payload());
        if (tooLarge != null) {
            throw tooLarge;
        }
        return new SettleRequest(lease, outcome, retention);
    }

    /** What is asked of the database within a transaction. */
    interface Question<R> {
        R ask() throws SQLException;
    }

    final <R> R ask(String failed, Question<R> question) {
        try {
            return question.ask();
        } catch (SQLException e) {
            throw dialect.wrap(failed, e);
        }
    }
}
