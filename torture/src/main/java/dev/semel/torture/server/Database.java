package dev.semel.torture.server;

import dev.semel.testkit.history.Effect;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The database server, or file, that all nodes share. */
public interface Database extends AutoCloseable {

    /** A direct way to the database, around all wires. */
    DataSource direct();

    /** Makes sure that the database is up and has all that it should have. */
    void heal() throws Exception;

    @Override
    void close() throws Exception;

    /** The effects that are rows of the business table. */
    default List<Effect> effects(Operation operation) throws SQLException {
        List<Effect> effects = new ArrayList<>();
        try (Connection connection = direct().getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT scope, key, request, attempt, token FROM torture_effect WHERE operation = ?")) {
            query.setString(1, operation.name());
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    effects.add(new Effect(
                            dev.semel.Key.of(rows.getString(1), rows.getString(2)),
                            rows.getString(3),
                            rows.getInt(4),
                            rows.getLong(5)));
                }
            }
        }
        return effects;
    }
}
