package dev.semel.jdbc;

import dev.semel.jdbc.dialect.LeaseEnd;
import dev.semel.jdbc.dialect.SettleRequest;
import dev.semel.jdbc.dialect.SharedKeyTable;
import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.lane.LaneLimits;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.TransactionJoining;
import dev.semel.store.PayloadTooLargeException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;

/** A store in a database where many keys can be claimed in one transaction of the application. */
final class SharedJdbcKeyStore extends TransactionalJdbcKeyStore implements TransactionJoining.Shared<Connection> {

    private final SqlDialect dialect;
    private final SharedKeyTable table;

    SharedJdbcKeyStore(
            DataSource dataSource,
            SqlDialect dialect,
            SharedKeyTable table,
            TableInspection inspection,
            TableName name,
            LaneLimits limits) {
        super(dataSource, dialect, table, inspection, name, limits);
        this.dialect = dialect;
        this.table = table;
    }

    @Override
    public List<Claim> claimAll(Connection transaction, List<ClaimRequest> requests) {
        List<ClaimRequest> sorted = sorted(requests, request -> request.key().digest());
        List<Claim> claims = ask("claims within a transaction failed", () -> table.claimJoined(transaction, sorted));
        Map<ClaimRequest, Claim> answers = new HashMap<>();
        for (int i = 0; i < claims.size(); i++) {
            answers.put(sorted.get(i), claims.get(i));
        }
        return requests.stream()
                .map(request -> Objects.requireNonNull(answers.get(request)))
                .toList();
    }

    @Override
    public boolean settleAll(Connection transaction, List<Settlement> settlements) {
        List<SettleRequest> requests = new ArrayList<>();
        for (Settlement each : sorted(settlements, each -> each.lease().digest())) {
            PayloadTooLargeException tooLarge = tooLarge(each.outcome().payload());
            if (tooLarge != null) {
                throw tooLarge;
            }
            requests.add(new SettleRequest(each.lease(), each.outcome(), each.retention()));
        }
        return areAllHeld(ask("settles within a transaction failed", () -> table.settle(transaction, requests)));
    }

    private static boolean areAllHeld(boolean[] held) {
        for (boolean each : held) {
            if (!each) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void releaseAll(Connection transaction, List<Lease> leases) {
        List<LeaseEnd> ends = sorted(leases, Lease::digest).stream()
                .map(lease -> new LeaseEnd(lease, LeaseEnd.Kind.RELEASE))
                .toList();
        ask("releases within a transaction failed", () -> table.end(transaction, ends));
    }

    @Override
    public void savepoint(Connection transaction) {
        ask("a savepoint failed", () -> {
            table.savepoint(transaction);
            return true;
        });
    }

    @Override
    public void rollBackToSavepoint(Connection transaction) {
        ask("going back to a savepoint failed", () -> {
            table.rollBackToSavepoint(transaction);
            return true;
        });
    }

    private static <Q, D extends Comparable<D>> List<Q> sorted(List<Q> requests, Function<Q, D> digest) {
        return requests.stream().sorted(Comparator.comparing(digest)).toList();
    }

    /** A call on the database within a transaction. */
    private interface Question<R> {
        R ask() throws SQLException;
    }

    private <R> R ask(String failed, Question<R> question) {
        try {
            return question.ask();
        } catch (SQLException e) {
            throw dialect.wrap(failed, e);
        }
    }
}
