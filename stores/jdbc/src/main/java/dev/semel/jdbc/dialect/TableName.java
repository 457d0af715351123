package dev.semel.jdbc.dialect;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of the table of keys. The names of all other objects of the store begin with it.
 *
 * <p>Names become part of SQL text, so that only plain lower-case identifiers are accepted.
 *
 * @param schema the schema that holds the table, or {@code null} where a database has none
 */
public record TableName(@Nullable String schema, String name) {

    public static final String DEFAULT = "semel_key";

    /** Leaves room, within the 63 characters of PostgreSQL, for the suffixes of what belongs to the table. */
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,47}");

    /** A configured name. */
    public static TableName of(@Nullable String schema, String name) {
        if (schema != null) {
            require("schema", schema);
        }
        require("table", name);
        return new TableName(schema, name);
    }

    private static void require(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " name must match " + NAME + ", got \"" + name + "\"");
        }
    }

    /** The statement with <code>{key}</code> and <code>{name}</code> replaced by the qualified and the plain name. */
    public String in(String sql) {
        return sql.replace("{key}", toString()).replace("{name}", name);
    }

    /** The table that holds one of the generations of this one. */
    public TableName slot(int number) {
        return new TableName(schema, name + "_" + number);
    }

    @Override
    public String toString() {
        return schema == null ? name : schema + "." + name;
    }
}
