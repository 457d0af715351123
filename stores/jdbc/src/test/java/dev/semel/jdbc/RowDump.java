package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.StringJoiner;
import javax.sql.DataSource;

/** The rows of a table as INSERT statements. */
final class RowDump {

    private RowDump() {}

    static String inserts(DataSource source, String table) throws SQLException {
        StringBuilder dump = new StringBuilder();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM " + table + " ORDER BY token")) {
            boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
            ResultSetMetaData columns = rows.getMetaData();
            String quote = connection.getMetaData().getIdentifierQuoteString();
            while (rows.next()) {
                StringJoiner names = new StringJoiner(", ");
                StringJoiner values = new StringJoiner(",\n    ");
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    String literal = literal(rows, i, postgres);
                    if (literal != null && !columns.getColumnName(i).equals("id")) {
                        names.add(quote + columns.getColumnName(i) + quote);
                        values.add(literal);
                    }
                }
                dump.append("INSERT INTO ")
                        .append(table)
                        .append(" (")
                        .append(names)
                        .append(") VALUES (\n    ");
                dump.append(values).append(");\n");
            }
        }
        return dump.toString();
    }

    private static String literal(ResultSet rows, int column, boolean postgres) throws SQLException {
        Object value = rows.getObject(column);
        if (value == null || value instanceof Number) {
            return value == null ? null : value.toString();
        }
        if (value instanceof byte[] bytes) {
            String hex = HexFormat.of().formatHex(bytes);
            return postgres ? "'\\x" + hex + "'" : "X'" + hex + "'";
        }
        return "'" + rows.getString(column).replace("'", "''") + "'";
    }
}
