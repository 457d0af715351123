package dev.semel.testkit.memory;

import dev.semel.KeyDigest;
import dev.semel.spi.life.StoredKey;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A connection, with a database behind it or without, that tells the store when its transactions end. */
final class ConnectionHandler implements InvocationHandler, JoinedConnection {

    static final String NO_DATABASE = "this DataSource has transactions and no database: use"
            + " TransactionalMemoryStore.around(dataSource) for operations that send statements";

    private final TransactionalMemoryStore store;
    private final @Nullable Connection database;
    private final Map<Object, Map<KeyDigest, Optional<StoredKey>>> savepoints = new IdentityHashMap<>();
    private @Nullable MemoryTransaction transaction;
    private boolean autoCommit = true;
    private boolean closed;

    private ConnectionHandler(TransactionalMemoryStore store, @Nullable Connection database) {
        this.store = store;
        this.database = database;
    }

    static Connection around(TransactionalMemoryStore store, @Nullable Connection database) throws SQLException {
        ConnectionHandler handler = new ConnectionHandler(store, database);
        handler.autoCommit = database == null || database.getAutoCommit();
        return (Connection) Proxy.newProxyInstance(
                ConnectionHandler.class.getClassLoader(),
                new Class<?>[] {Connection.class, JoinedConnection.class},
                handler);
    }

    @Override
    public MemoryTransaction transactionOf(TransactionalMemoryStore joining) throws SQLException {
        if (joining != store) {
            throw new SQLException("the connection belongs to another TransactionalMemoryStore");
        }
        if (autoCommit || closed) {
            throw new SQLException("the connection is in no transaction");
        }
        MemoryTransaction running = transaction;
        if (running == null) {
            running = new MemoryTransaction();
            transaction = running;
        }
        return running;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Object first = arguments == null ? null : arguments[0];
        return switch (method.getName()) {
            case "transactionOf" -> transactionOf((TransactionalMemoryStore) required(first));
            case "equals" -> proxy == first;
            case "hashCode" -> System.identityHashCode(proxy);
            case "toString" -> "JoinedConnection[" + database + "]";
            case "unwrap" -> isOwn(first) ? proxy : pass(method, arguments);
            case "isWrapperFor" -> isOwn(first) || (database != null && (boolean) required(pass(method, arguments)));
            case "setAutoCommit" -> setAutoCommit(method, arguments);
            case "commit" -> end(method, arguments, true);
            case "rollback" -> first == null ? end(method, arguments, false) : rollBackTo(first, method, arguments);
            case "setSavepoint" -> savepoint(method, arguments);
            case "close", "abort" -> close(method, arguments);
            default -> database == null ? withoutDatabase(method) : pass(method, arguments);
        };
    }

    private static boolean isOwn(@Nullable Object type) {
        return type == JoinedConnection.class || type == Connection.class;
    }

    private static Object required(@Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("null is not allowed here");
        }
        return value;
    }

    private @Nullable Object setAutoCommit(Method method, Object @Nullable [] arguments) throws Throwable {
        boolean wanted = (boolean) required(arguments == null ? null : arguments[0]);
        Object done = pass(method, arguments);
        if (wanted && !autoCommit) {
            // As JDBC says: the transaction commits.
            end(true);
        }
        autoCommit = wanted;
        return done;
    }

    /** The database decides: a commit that fails there has not happened here. */
    private @Nullable Object end(Method method, Object @Nullable [] arguments, boolean commit) throws Throwable {
        boolean done = false;
        try {
            Object answer = pass(method, arguments);
            done = true;
            return answer;
        } finally {
            end(commit && done);
        }
    }

    private void end(boolean committed) {
        MemoryTransaction running = transaction;
        transaction = null;
        savepoints.clear();
        if (running != null) {
            store.end(running, committed);
        }
    }

    private @Nullable Object savepoint(Method method, Object @Nullable [] arguments) throws Throwable {
        Object savepoint = database == null ? withoutDatabase(method) : pass(method, arguments);
        MemoryTransaction running = transaction;
        savepoints.put(required(savepoint), running == null ? Map.of() : running.written());
        return savepoint;
    }

    private @Nullable Object rollBackTo(Object savepoint, Method method, Object @Nullable [] arguments)
            throws Throwable {
        Object done = pass(method, arguments);
        MemoryTransaction running = transaction;
        if (running != null) {
            store.rollBack(running, savepoints.getOrDefault(savepoint, Map.of()));
        }
        return done;
    }

    private @Nullable Object close(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return pass(method, arguments);
        } finally {
            closed = true;
            end(false);
        }
    }

    private @Nullable Object pass(Method method, Object @Nullable [] arguments) throws Throwable {
        if (database == null) {
            return null;
        }
        try {
            return method.invoke(database, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** Answers the calls of transaction managers; all others need a database. */
    private Object withoutDatabase(Method method) throws SQLException {
        return switch (method.getName()) {
            case "getAutoCommit" -> autoCommit;
            case "isClosed" -> closed;
            case "isValid" -> !closed;
            case "isReadOnly" -> false;
            case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
            default -> throw new SQLFeatureNotSupportedException(method.getName() + ": " + NO_DATABASE);
        };
    }
}
