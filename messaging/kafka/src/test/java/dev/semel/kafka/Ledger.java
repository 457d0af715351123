package dev.semel.kafka;

import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The effects of handlers, in a table that would take any number of them for one record. */
record Ledger(DataSource dataSource) {

    static Ledger create(DataSource dataSource) {
        TestPostgres.execute(
                dataSource,
                "CREATE TABLE ledger (id bigserial PRIMARY KEY, key text NOT NULL, part int NOT NULL, pos bigint NOT NULL)");
        return new Ledger(dataSource);
    }

    static void add(Connection connection, String key, ConsumerRecord<?, ?> record) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO ledger (key, part, pos) VALUES (?, ?, ?)")) {
            insert.setString(1, key);
            insert.setInt(2, record.partition());
            insert.setLong(3, record.offset());
            insert.executeUpdate();
        }
    }

    long number(String query) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(query);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    long effects() {
        return number("SELECT count(*) FROM ledger");
    }

    long distinctEffects() {
        return number("SELECT count(DISTINCT key) FROM ledger");
    }

    /** Effects that came after one of a later record of their partition. */
    List<String> outOfOrder() {
        String query = "SELECT part, pos, before FROM (SELECT part, pos, max(pos) OVER"
                + " (PARTITION BY part ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM ledger)"
                + " AS ordered WHERE before > pos";
        List<String> found = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(query);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                found.add("partition " + row.getInt(1) + ": " + row.getLong(2) + " after " + row.getLong(3));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return found;
    }
}
