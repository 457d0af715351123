package dev.semel.testkit.memory;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections that tell the store when their transactions end. */
final class JoinedDataSource implements DataSource {

    private final TransactionalMemoryStore store;
    private final @Nullable DataSource database;

    JoinedDataSource(TransactionalMemoryStore store, @Nullable DataSource database) {
        this.store = store;
        this.database = database;
    }

    private DataSource require() throws SQLException {
        if (database == null) {
            throw new SQLFeatureNotSupportedException(ConnectionHandler.NO_DATABASE);
        }
        return database;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return ConnectionHandler.around(store, database == null ? null : database.getConnection());
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return ConnectionHandler.around(store, require().getConnection(username, password));
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return require().getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        require().setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        require().setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return require().getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("the connections of a test have no logger");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : require().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || (database != null && database.isWrapperFor(type));
    }
}
