/** Stores that keep keys in a relational database: PostgreSQL, MariaDB, MySQL, or SQLite. */
module dev.semel.jdbc {
    requires org.slf4j;
    requires transitive dev.semel.core;
    requires transitive java.sql;
    requires static org.postgresql.jdbc;
    requires static org.jspecify;

    exports dev.semel.jdbc;
}
