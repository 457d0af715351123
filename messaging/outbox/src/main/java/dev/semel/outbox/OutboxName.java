package dev.semel.outbox;

import java.util.regex.Pattern;

/** The name of the outbox table. The names of all other objects of the outbox begin with it. */
record OutboxName(String schema, String name) {

    static final String DEFAULT = "semel_outbox";

    /** Names become part of SQL text, and need room for suffixes within the 63 characters of PostgreSQL. */
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,47}");

    OutboxName {
        require("schema", schema);
        require("table", name);
    }

    private static void require(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " name must match " + NAME + ", got \"" + name + "\"");
        }
    }

    /** The statement with <code>{outbox}</code> and <code>{name}</code> replaced by the qualified and the plain name. */
    String in(String sql) {
        return sql.replace("{outbox}", toString()).replace("{name}", name);
    }

    @Override
    public String toString() {
        return schema + "." + name;
    }
}
