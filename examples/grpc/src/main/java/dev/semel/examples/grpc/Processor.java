package dev.semel.examples.grpc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A stand-in for a card processor, which recognises a charge by its key. */
final class Processor {

    private final DataSource database;

    Processor(DataSource database) {
        this.database = database;
    }

    /** Charges once per key, and returns the number of the charge. */
    String charge(String key, String order, long cents) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement charge = connection.prepareStatement(
                        "insert into processor_charge (key, order_number, cents)"
                                + " values (?, ?, ?) on conflict (key) do update set key = excluded.key returning id")) {
            charge.setString(1, key);
            charge.setString(2, order);
            charge.setLong(3, cents);
            try (ResultSet row = charge.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }
}
