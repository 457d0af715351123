package dev.semel.jdbc;

import dev.semel.jdbc.dialect.Dialect;
import dev.semel.jdbc.dialect.JoinableKeyTable;
import dev.semel.jdbc.dialect.LoggedInspection;
import dev.semel.jdbc.lane.LaneLimits;
import dev.semel.spi.ErasureLog;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;

/** A store in a database whose schema has a table for the log of erasures. */
final class LoggedJdbcKeyStore extends TransactionalJdbcKeyStore implements ErasureLog {

    private final LoggedInspection inspection;

    LoggedJdbcKeyStore(
            DataSource dataSource,
            Dialect dialect,
            JoinableKeyTable table,
            LoggedInspection inspection,
            LaneLimits limits) {
        super(dataSource, dialect, table, inspection, limits);
        this.inspection = inspection;
    }

    @Override
    public CompletionStage<Void> noteErasure(Entry entry) {
        return inspector
                .ask("noting an erasure", (same, connection) -> {
                    inspection.noteErasure(connection, entry);
                    return true;
                })
                .thenAccept(noted -> {});
    }
}
