package dev.semel.jdbc;

import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.SqlFailure;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Transactions;
import dev.semel.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables and functions that keep keys in one kind of database, as SQL scripts.
 *
 * <p>One script upgrades each version of the schema to the next. A node that still runs the release before works with
 * the new version, so that the schema is upgraded first and the nodes one by one after it.
 */
public final class JdbcSchema {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcSchema.class);

    private static final int SWITCH_TRIES = 50;

    private final SqlDialect dialect;
    private final TableName table;
    private final boolean generations;

    JdbcSchema(SqlDialect dialect, TableName table) {
        this(dialect, table, false);
    }

    private JdbcSchema(SqlDialect dialect, TableName table, boolean generations) {
        this.dialect = dialect;
        this.table = table;
        this.generations = generations;
    }

    /** The same schema, for a table that keeps its keys in generations. */
    public JdbcSchema withGenerations() {
        if (dialect.generationsScript() == null) {
            throw new IllegalArgumentException(dialect.name() + " cannot keep keys in generations");
        }
        return new JdbcSchema(dialect, table, true);
    }

    /**
     * The schema for a database by its name, such as {@code postgres}.
     *
     * @param schema the database schema for the table, or {@code null} for the default one
     */
    public static JdbcSchema of(String database, @Nullable String schema, String table) {
        SqlDialect dialect = Dialects.named(database);
        return new JdbcSchema(dialect, TableName.of(schema == null ? dialect.usualSchema() : schema, table));
    }

    /** The version that this release needs. */
    public int version() {
        return dialect.schemaVersion();
    }

    /**
     * The scripts that upgrade a database from version {@code installed} to the current one; 0 for a database without
     * the schema.
     */
    public String script(int installed) {
        if (installed < 0 || installed > version()) {
            throw new IllegalArgumentException(
                    "the schema has versions 1 to " + version() + ", and 0 stands for none; got " + installed);
        }
        return versions(installed)
                + (generations ? read(dialect.generationsScript()) : "")
                + (generations || installed < version() ? functions(generations) : "");
    }

    private String versions(int installed) {
        return IntStream.rangeClosed(installed + 1, version())
                .mapToObj(version -> read("version-" + version))
                .collect(Collectors.joining());
    }

    /** The scripts that run again after every other change of the schema. */
    private String functions(boolean inGenerations) {
        List<String> scripts = dialect.functionScripts();
        if (scripts.isEmpty()) {
            return "";
        }
        SqlTemplate template = new SqlTemplate(inGenerations, text(scripts.get(0)));
        return scripts.stream()
                .skip(1)
                .map(script -> table.in("\n" + template.expand(text(script))))
                .collect(Collectors.joining());
    }

    private String read(@Nullable String script) {
        return table.in(text(Objects.requireNonNull(script)));
    }

    private String text(String script) {
        String resource = dialect.name() + "/" + script + ".sql";
        try (InputStream in = JdbcSchema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates or upgrades the schema. If several nodes do this at the same time, one of them does the work. */
    public void createOrUpgrade(DataSource dataSource) {
        for (int left = SWITCH_TRIES; !tryToCreateOrUpgrade(dataSource, left); left--) {
            LOG.info("{} is in use and is switched to generations in a moment", table);
        }
    }

    /**
     * Creates or upgrades the schema; {@code false} if a table could not be locked in time, which can happen while the
     * service runs.
     */
    private boolean tryToCreateOrUpgrade(DataSource dataSource, int triesLeft) {
        try (Connection connection = dataSource.getConnection()) {
            return Transactions.run(connection, this::createOrUpgrade);
        } catch (SQLException e) {
            if (generations && triesLeft > 0 && dialect.failure(e) == SqlFailure.LOCKED) {
                return false;
            }
            throw dialect.wrap("could not create or upgrade the tables of " + table, e);
        }
    }

    private boolean createOrUpgrade(Connection connection) throws SQLException {
        dialect.lockSchema(connection, table);
        int installed = dialect.installedVersion(connection, table);
        boolean inGenerations = dialect.keepsGenerations(connection, table);
        if (installed < version()) {
            run(connection, versions(installed) + functions(inGenerations));
            LOG.info("{} is now at version {} of the schema, was at {}", table, version(), installed);
        }
        if (generations && !inGenerations) {
            run(connection, read(dialect.generationsScript()) + functions(true));
            LOG.info("{} keeps its keys in generations from now on", table);
        }
        return true;
    }

    private void run(Connection connection, String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : dialect.statements(script)) {
                statement.executeUpdate(each);
            }
        }
    }

    /**
     * Checks that the database has the schema of this release, and otherwise throws an exception that says what to do.
     */
    void check(DataSource dataSource) {
        int installed;
        boolean lacksGenerations;
        try (Connection connection = dataSource.getConnection()) {
            installed = dialect.installedVersion(connection, table);
            lacksGenerations = generations && !dialect.keepsGenerations(connection, table);
        } catch (SQLException e) {
            throw dialect.wrap("could not read the version of the tables of " + table, e);
        }
        if (installed == 0) {
            throw new StoreException(
                    "there is no table " + table + " with version " + version() + " of the schema; create it with"
                            + " the script that"
                            + " \"semel schema " + dialect.name() + "\" prints, or let the store do it with"
                            + " createIfMissing()",
                    null);
        }
        if (installed < version()) {
            throw new StoreException(
                    table + " has version " + installed + " of the schema, but this release needs " + version()
                            + "; upgrade it with the script that \"semel schema " + dialect.name() + " --from "
                            + installed
                            + "\" prints, or let the store do it with createIfMissing()",
                    null);
        }
        if (lacksGenerations) {
            throw new StoreException(
                    table + " does not keep its keys in generations; run the script that \"semel schema "
                            + dialect.name()
                            + " --from " + installed
                            + " --generations\" prints, or let the store do it with createIfMissing()",
                    null);
        }
        if (installed > version()) {
            LOG.warn(
                    "{} has version {} of the schema, this release is made for {}: upgrade this node soon",
                    table,
                    installed,
                    version());
        }
    }
}
