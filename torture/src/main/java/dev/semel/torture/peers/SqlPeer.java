package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.SystemUnderTest;
import dev.semel.util.LengthPrefixedDigest;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A design that keeps its keys in a table, with one statement per transaction. */
abstract class SqlPeer implements SystemUnderTest {

    private final HikariDataSource pool;
    private final Business business;

    SqlPeer(HikariDataSource pool, Business business, String table) {
        this.pool = pool;
        this.business = business;
        createTable(pool, table);
    }

    /** Nodes start together: one of them creates the table. */
    static void createTable(HikariDataSource pool, String ddl) {
        try (Connection connection = pool.getConnection()) {
            connection.createStatement().execute("SELECT pg_advisory_lock(42)");
            connection.createStatement().execute(ddl);
            connection.createStatement().execute("SELECT pg_advisory_unlock(42)");
        } catch (SQLException e) {
            throw new IllegalStateException("the table could not be created", e);
        }
    }

    /** Runs the operation. No fencing: these designs have no token to pass on. */
    final byte[] run(ServiceRequest request) throws Exception {
        return business.runOutside(request, 1, 0);
    }

    /** The first two columns of a row, as text. */
    record Row(String first, String second) {}

    final Optional<Row> query(String sql, Object... parameters) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return Optional.empty();
            }
            boolean two = rows.getMetaData().getColumnCount() > 1;
            return Optional.of(new Row(text(rows.getString(1)), two ? text(rows.getString(2)) : ""));
        }
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    final int update(String sql, Object... parameters) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    /** The stored response; without one, the operation is in flight. */
    static ServiceReply replayed(Optional<Row> response) {
        return response.isEmpty() || response.get().first().isEmpty()
                ? ServiceReply.of(ServiceReply.Kind.IN_FLIGHT)
                : ServiceReply.replayed(bytes(response.get().first()));
    }

    /** The key with its caller, for libraries that leave the name of a message to the application. */
    static String scoped(ServiceRequest request) {
        return request.scope() + "/" + request.key();
    }

    static String hash(ServiceRequest request) {
        return HexFormat.of().formatHex(LengthPrefixedDigest.newSha256().digest(request.body()));
    }

    static String text(byte[] outcome) {
        return new String(outcome, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String outcome) {
        return outcome.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {}
}
