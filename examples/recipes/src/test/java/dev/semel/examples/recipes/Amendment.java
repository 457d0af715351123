package dev.semel.examples.recipes;

import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.TransactionalOperation;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.policy.Policy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Changes a part of an order. */
final class Amendment {

    /** The quantity that the order is to have, by a person who has seen it in this version. */
    record Change(String order, long version, int quantity) {}

    private final TransactionalOperation<Connection, String> amend;

    Amendment(Semel semel, DataSource dataSource) {
        this.amend = semel.operation(
                Policy.singleTransaction("amend-order").build(), OutcomeCodec.text(), JdbcTransactions.of(dataSource));
    }

    String amend(String customer, String key, Change change) throws SQLException {
        // quoted: amend
        Execution<String> execution = amend.run(
                Key.of(customer, key), // a key for each amendment, not for each order
                Fingerprint.of(change.order(), "" + change.version(), "" + change.quantity()),
                (attempt, connection) -> update(connection, change));
        return execution.get();
        // end
    }

    // quoted: update
    private static String update(Connection connection, Change change) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE orders SET quantity = ?, version = version + 1 WHERE id = ? AND version = ?")) {
            update.setInt(1, change.quantity());
            update.setString(2, change.order());
            update.setLong(3, change.version());
            return update.executeUpdate() == 1 ? "version " + (change.version() + 1) : "stale";
        }
    }
    // end
}
