package dev.semel.jdbc.innodb;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.row.OwnerWrite;
import dev.semel.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** MySQL, from version 8.0.19. */
public final class MySqlDialect extends InnoDbDialect {

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");
    private static final long HOUR = 3_600_000_000L;

    @Override
    public String product() {
        return "MySQL";
    }

    /** MySQL's driver calls MariaDB by this name too, and cannot read what MariaDB's own statements return. */
    @Override
    void requireVersion(Connection connection) throws SQLException {
        String version = first(connection, "SELECT version()");
        if (version.contains("MariaDB")) {
            throw new StoreException(
                    "the server is MariaDB " + version + ": use MariaDB's own driver (jdbc:mariadb:)", null);
        }
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches() || number(parts) < 8_000_019) {
            throw new StoreException("MySQL 8.0.19 or newer is needed, the server is " + version, null);
        }
        if (first(connection, "SELECT @@binlog_format").equals("STATEMENT")) {
            throw new StoreException(
                    "MySQL runs with binlog_format=STATEMENT, which cannot repeat statements that skip locked rows. Set"
                            + " binlog_format=ROW.",
                    null);
        }
    }

    /** Replicas make tables at the time of their source. */
    @Override
    public String identity(Connection connection, TableName table) throws SQLException {
        return "=" + first(connection, createdAt(table));
    }

    private static int number(Matcher parts) {
        return (Integer.parseInt(parts.group(1)) * 1_000 + Integer.parseInt(parts.group(2))) * 1_000
                + Integer.parseInt(parts.group(3));
    }

    @Override
    InnoDbClaims claims(TableName table, boolean joined) {
        return new MySqlClaims(table, joined);
    }

    /**
     * A claim that was lost leaves a lock at the end of the table until the transaction ends, unless that reads what is committed.
     * Two transactions that insert once more would wait for each other.
     */
    @Override
    int joinedRounds() {
        return 1;
    }

    /**
     * An update here waits for a held row for a second at least. A query can skip it: so a query, which is not to become part of
     * the update, locks the rows, and the update writes to those.
     */
    @Override
    InnoDbWrite.Statement manyAtOnce(TableName table, OwnerWrite<?> write) {
        ValueColumns values = ValueColumns.of(write);
        String begin = "UPDATE /*+ NO_MERGE(u) */ {key} k JOIN (SELECT l.id, v.* FROM (VALUES ";
        // A statement that the server prepares would take what has no type for text.
        String row = "ROW(" + write.types().replace("n", "CAST(? AS SIGNED), ").replace("b", "CAST(? AS BINARY), ")
                + "CAST(? AS BINARY(16)), CAST(? AS BINARY(16)), CAST(? AS SIGNED))";
        String end = ") AS v(" + values.names() + "d, n, t) STRAIGHT_JOIN {key} l FORCE INDEX ({name}_digest)"
                + " ON l.digest = v.d WHERE l.nonce = v.n AND l.token = v.t AND l.state = 0"
                + " FOR UPDATE OF l SKIP LOCKED) u ON k.id = u.id SET " + values.set();
        String first = in(table, begin + row);
        String more = ", " + row;
        String last = in(table, end);
        return writes -> first + more.repeat(writes - 1) + last;
    }

    /** Waits as long as the application lets its sessions wait. */
    @Override
    String joined(String sql) {
        return sql;
    }

    /** Nothing to do: tokens are times, and the row of an imported key keeps its token. */
    @Override
    void raiseTokens(Connection connection, TableName table, long token) {}

    /** Tokens are times of the server's clock. As long as the row is there, they grow even if the clock goes back. */
    @Override
    long tokenGraceMicros() {
        return HOUR;
    }
}
