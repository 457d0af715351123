package dev.semel.jdbc.dialect;

import dev.semel.store.PayloadTooLargeException;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The behaviour of one kind of database. */
public interface SqlDialect {

    /** The name by which people ask for this database, such as {@code postgres}. */
    default String name() {
        return product().toLowerCase(Locale.ROOT);
    }

    /** The name by which drivers call this database. */
    String product();

    /** The schema that a connection uses by default, or {@code null} where a database has none. */
    default @Nullable String currentSchema(Connection connection) throws SQLException {
        return null;
    }

    /** The default schema of a script, or {@code null} where a database has none. */
    default @Nullable String usualSchema() {
        return null;
    }

    /** How many versions the schema has had; version n is made from version n - 1 by the script {@code version-n.sql}. */
    default int schemaVersion() {
        return 1;
    }

    /**
     * The version of the schema that is installed, 0 if none is; throws {@link dev.semel.store.StoreException} if this
     * database cannot keep keys for a reason that its operator has to change.
     */
    int installedVersion(Connection connection, TableName table) throws SQLException;

    /** The statements of a script, where a driver takes only one at a time. */
    default List<String> statements(String script) {
        return List.of(script);
    }

    /** Keeps other nodes from changing the schema until the transaction of this connection ends. */
    void lockSchema(Connection connection, TableName table) throws SQLException;

    /** @param inGenerations whether the table is known to keep its keys in generations */
    KeyTable keyTable(TableName table, boolean inGenerations);

    /** How to run statements that are not on the request path. */
    default Statements statements() {
        return Statements.PLAIN;
    }

    /** Runs the work in its own transaction, on a connection that is in none. */
    default <T> T inTransaction(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        return Transactions.run(connection, work::run);
    }

    /** The queries and changes for people and maintenance. */
    TableInspection inspection(TableName table, Upkeep upkeep);

    /** Whether records can be kept for people in an audit window of their own. */
    default boolean keepsAuditWindow() {
        return false;
    }

    /**
     * The scripts for the functions of the schema, which are recreated after every other script. The first one holds the
     * definitions for the {@code SqlTemplate}s that the others are. Empty where a database has no functions.
     */
    default List<String> functionScripts() {
        return List.of();
    }

    /** The script that lets a table keep its keys in generations; {@code null} if it cannot. */
    default @Nullable String generationsScript() {
        return null;
    }

    /** Whether this table keeps its keys in generations. */
    default boolean keepsGenerations(Connection connection, TableName table) throws SQLException {
        return false;
    }

    /**
     * An identity that distinguishes a table from a recreated one of the same name, in the form {@code server=table}.
     * The first part is empty where copies of a server have the second part in common; where it differs, the second
     * says nothing.
     */
    default String identity(Connection connection, TableName table) throws SQLException {
        return "=";
    }

    SqlFailure failure(SQLException failure);

    /** The exception for callers. Its type says whether a repetition or a smaller payload may help. */
    default StoreException wrap(String what, SQLException failure) {
        if (failure.getCause() instanceof PayloadTooLargeException tooLarge) {
            return tooLarge;
        }
        String message = what + ": " + failure.getMessage();
        return failure(failure) == SqlFailure.REFUSED
                ? new StoreException(message, failure)
                : new StoreUnavailableException(message, failure);
    }
}
