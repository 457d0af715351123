package dev.semel.jdbc;

import static dev.semel.fuzz.Fuzz.require;

import dev.semel.fuzz.Fuzz;
import dev.semel.jdbc.dialect.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A name of a schema or table that is accepted stays a name in every statement. */
public final class SqlNamesFuzz {

    private static final List<String> DATABASES = List.of("postgres", "mariadb", "mysql", "sqlite");
    /** The scripts are long: every accepted name is tried in a statement, some of them in all of a script. */
    private static final int EACH_SCRIPT = 32;

    private static final String PLAIN = "a_plain_name";
    private static final Map<String, String> WITH_PLAIN_NAMES = new HashMap<>();

    private SqlNamesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        List<String> names = Fuzz.fields(input);
        String table = names.get(0);
        String schema = names.size() > 1 ? names.get(1) : null;
        TableName name;
        try {
            name = TableName.of(schema, table);
        } catch (IllegalArgumentException refused) {
            require(refused.getMessage().contains("name must match"), "says what is wrong", refused.getMessage());
            return;
        }
        require(name.toString().chars().allMatch(SqlNamesFuzz::isPlain), "only plain characters", name);
        require(name.slot(7).toString().length() <= 2 * 63 + 1, "short enough with a suffix", name);
        String statement = "SELECT * FROM {key}, {name} WHERE x = '{name}_1' -- {key}";
        require(shape(name.in(statement)).equals(shape(plain(schema).in(statement))), "changes no statement", name);
        if (table.hashCode() % EACH_SCRIPT != 0) {
            return;
        }
        String database = DATABASES.get(Math.floorMod(table.hashCode(), DATABASES.size()));
        String expected = WITH_PLAIN_NAMES.computeIfAbsent(
                database + (schema == null), key -> shape(script(database, schema == null ? null : PLAIN, PLAIN)));
        require(shape(script(database, schema, table)).equals(expected), "changes no statement", name);
    }

    private static TableName plain(String schema) {
        return TableName.of(schema == null ? null : PLAIN, PLAIN);
    }

    private static String script(String database, String schema, String table) {
        return JdbcSchema.of(database, schema, table).script(0);
    }

    /** What parts a script into statements, literals, comments and names. */
    private static String shape(String script) {
        StringBuilder shape = new StringBuilder();
        for (int i = 0; i < script.length(); i++) {
            char c = script.charAt(i);
            if (!isPlain(c) || c == '.') {
                shape.append(c);
            } else if (shape.length() == 0 || shape.charAt(shape.length() - 1) != 'x') {
                shape.append('x');
            }
        }
        return shape.toString();
    }

    private static boolean isPlain(int c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    }
}
