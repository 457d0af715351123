package dev.semel.outbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads messages out of rows. */
final class MessageRows {

    private MessageRows() {}

    static OutboxMessage message(ResultSet row, String destination) throws SQLException {
        String[] lines = (String[]) row.getArray("headers").getArray();
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 0; i + 1 < lines.length; i += 2) {
            headers.put(lines[i], lines[i + 1]);
        }
        return new OutboxMessage(
                destination,
                row.getString("aggregate"),
                row.getString("key"),
                row.getString("content_type"),
                headers,
                row.getBytes("payload"));
    }
}
