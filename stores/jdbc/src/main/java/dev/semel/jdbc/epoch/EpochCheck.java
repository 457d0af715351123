package dev.semel.jdbc.epoch;

import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.dialect.TableName;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Compares the database with three records of it: the memory of this process, a file, and the identity of a table. Each
 * check moves the database on, so that an older copy of it is behind.
 */
public final class EpochCheck {

    private static final String OTHER_SERVER = "=";

    private final DataSource dataSource;
    private final SqlDialect dialect;
    private final EpochTable row;
    private final @Nullable EpochFile file;
    private @Nullable Epoch remembered;

    public EpochCheck(DataSource dataSource, SqlDialect dialect, TableName table, @Nullable Path file) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.row = new EpochTable(dialect, table);
        this.file = file == null ? null : new EpochFile(file);
    }

    /** Makes the table if it is missing. */
    public void create() {
        try (Connection connection = dataSource.getConnection()) {
            if (row.isMissing(connection)) {
                create(connection);
            }
        } catch (SQLException e) {
            throw dialect.wrap("could not create the table " + row.table() + "_epoch", e);
        }
    }

    private void create(Connection connection) throws SQLException {
        try {
            row.create(connection);
        } catch (SQLException e) {
            // Another node may have made it at this moment.
            if (row.isMissing(connection)) {
                throw e;
            }
        }
    }

    /** Why claims have to be refused; {@code null} if nothing is known to be lost. */
    public synchronized @Nullable String check() throws IOException {
        Epoch known = known();
        EpochTable.Row now = inTransaction(connection -> look(connection, known));
        remember(now.epoch());
        return now.lost();
    }

    private @Nullable Epoch known() throws IOException {
        Epoch written = file == null ? null : file.read();
        return remembered == null ? written : Epoch.later(remembered, written);
    }

    private void remember(Epoch epoch) throws IOException {
        Epoch known = known();
        if (known == null || known.isBefore(epoch)) {
            remembered = epoch;
            if (file != null) {
                file.write(epoch);
            }
        }
    }

    private EpochTable.Row look(Connection connection, @Nullable Epoch known) throws SQLException {
        String identity = row.identity(connection);
        EpochTable.Row found = row.lock(connection);
        if (found == null && known != null) {
            // Nothing is written: a dump that is being read back has yet to bring this row.
            return new EpochTable.Row(new Epoch(0, 0), identity, "its epoch table is empty");
        }
        if (found == null) {
            EpochTable.Row first = new EpochTable.Row(new Epoch(System.currentTimeMillis(), 0), identity, null);
            row.insert(connection, first);
            return first;
        }
        String lost = found.lost() == null ? lossOf(found, identity, known) : found.lost();
        EpochTable.Row next =
                new EpochTable.Row(found.epoch().next(), lost == null ? identity : found.identity(), lost);
        row.update(connection, next);
        return next;
    }

    private static @Nullable String lossOf(EpochTable.Row found, String identity, @Nullable Epoch known) {
        if (known != null && found.epoch().isBefore(known)) {
            return "it was at " + known + " before, and is at " + found.epoch() + " now";
        }
        return isSameServer(found.identity(), identity) && !found.identity().equals(identity)
                ? "its tables were recreated, and hold the content of others"
                : null;
    }

    /** The identity of a table says nothing about a new server, for example after a failover. */
    private static boolean isSameServer(String one, String other) {
        return one.substring(0, one.indexOf(OTHER_SERVER) + 1)
                .equals(other.substring(0, other.indexOf(OTHER_SERVER) + 1));
    }

    /** Begins a new epoch, which all nodes follow; {@code false} if nothing was lost. */
    public synchronized boolean acknowledge() throws IOException {
        Epoch known = known();
        EpochTable.Row before = inTransaction(connection -> look(connection, known));
        if (before.lost() == null) {
            remember(before.epoch());
            return false;
        }
        long least = Epoch.later(before.epoch(), known).number() + 1;
        Epoch epoch = new Epoch(Math.max(least, System.currentTimeMillis()), 0);
        inTransaction(connection -> {
            EpochTable.Row acknowledged = new EpochTable.Row(epoch, row.identity(connection), null);
            if (row.lock(connection) == null) {
                row.insert(connection, acknowledged);
            } else {
                row.update(connection, acknowledged);
            }
            return true;
        });
        remember(epoch);
        return true;
    }

    private <T> T inTransaction(StoreConnections.Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            return dialect.inTransaction(connection, work);
        } catch (SQLException e) {
            throw dialect.wrap("could not check whether the database was restored", e);
        }
    }
}
