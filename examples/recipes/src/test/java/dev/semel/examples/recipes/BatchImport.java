package dev.semel.examples.recipes;

import dev.semel.Call;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NoValueException;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.TransactionalOperation;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.policy.Policy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Imports the rows of a file, which a person may start again. */
final class BatchImport {

    /** A row; its id is unique in the file. */
    record Row(String id, long cents) {}

    private static final int TOGETHER = 100;

    private final TransactionalOperation<Connection, String> importRow;

    BatchImport(Semel semel, DataSource dataSource) {
        // quoted: operation
        TransactionalOperation<Connection, String> importRow = semel.operation(
                Policy.singleTransaction("import-row")
                        .retention(Duration.ofDays(35)) // until no one starts this file again
                        .build(),
                OutcomeCodec.text(),
                JdbcTransactions.of(dataSource));
        // end
        this.importRow = importRow;
    }

    /** The rows that could not be imported, and why. */
    List<String> run(String file, List<Row> rows) {
        // quoted: run
        List<String> refused = new ArrayList<>();
        int next = 0;
        while (next < rows.size()) {
            List<Row> chunk = rows.subList(next, Math.min(next + TOGETHER, rows.size()));
            int ended = importTogether(file, chunk); // as many as succeeded, now or before
            next += ended;
            if (ended < chunk.size()) {
                importAlone(file, rows.get(next), refused);
                next++;
            }
        }
        return refused;
        // end
    }

    // quoted: together
    private int importTogether(String file, List<Row> rows) {
        Map<String, Row> byId = rows.stream().collect(Collectors.toMap(Row::id, Function.identity()));
        List<Call> calls = rows.stream().map(row -> call(file, row)).toList();
        return importRow
                .runTogether(
                        calls,
                        () -> true,
                        (attempt, connection) ->
                                insert(connection, byId.get(attempt.key().value())))
                .size();
    }

    private void importAlone(String file, Row row, List<String> refused) {
        try {
            importRow
                    .run(call(file, row), (attempt, connection) -> insert(connection, row))
                    .get();
        } catch (SQLException | NoValueException e) {
            refused.add(row.id() + ": " + e.getMessage());
        }
    }
    // end

    // quoted: call
    private static Call call(String file, Row row) {
        return Call.of(Key.of(file, row.id()), Fingerprint.of(row.id(), Long.toString(row.cents())));
    }
    // end

    private static String insert(Connection connection, Row row) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO booking (id, cents) VALUES (?, ?)")) {
            insert.setString(1, row.id());
            insert.setLong(2, row.cents());
            insert.executeUpdate();
            return "booked";
        }
    }
}
