package dev.semel.torture.database;

import dev.semel.testkit.history.Effect;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** A database with transactions of the application, and its business table. */
public interface SqlDatabase extends Database {

    /** A direct way to the server that accepts writes, around all wires. */
    DataSource direct();

    @Override
    default void inspect(Look look) throws Exception {
        SqlTables.inspect(direct(), look);
    }

    @Override
    default List<Effect> effects(Operation operation) throws SQLException {
        return SqlTables.effects(direct(), operation);
    }
}
