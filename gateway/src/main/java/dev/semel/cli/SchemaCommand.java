package dev.semel.cli;

import dev.semel.jdbc.JdbcSchema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the tables and functions that a database needs, as an SQL script. */
@Command(
        name = "schema",
        description = "Prints the SQL script that creates or upgrades the tables of a store.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  semel schema postgres | psql --single-transaction -v ON_ERROR_STOP=1 orders",
            "  semel schema mariadb | mariadb orders",
            "  semel schema mysql | mysql orders",
            "  semel schema postgres --from 1 --generations > V42__semel_generations.sql"
        })
final class SchemaCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DATABASE", description = "the kind of database: postgres, mariadb, mysql or sqlite")
    private String database;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "the schema of the table (default: public in PostgreSQL)")
    private @Nullable String schema;

    @Option(names = "--table", paramLabel = "NAME", description = "the table of the keys (default: ${DEFAULT-VALUE})")
    private String table = "semel_key";

    @Option(
            names = "--from",
            paramLabel = "VERSION",
            description = "the version that is installed, to print an upgrade only (default: none)")
    private int installed;

    @Option(names = "--generations", description = "let the table keep its keys in generations (PostgreSQL)")
    private boolean generations;

    @Override
    public void run() {
        try {
            JdbcSchema tables = JdbcSchema.of(database, schema, table);
            String script = (generations ? tables.withGenerations() : tables).script(installed);
            spec.commandLine().getOut().print(script);
            spec.commandLine().getOut().flush();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
