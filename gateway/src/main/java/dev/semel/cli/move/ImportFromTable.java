package dev.semel.cli.move;

import dev.semel.check.Secrets;
import dev.semel.gateway.config.ConfigException;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.util.LengthPrefixedDigest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** The options of {@code semel keys import} for a table or file that is not Semel's, and what they do. */
public final class ImportFromTable {

    private static final Logger audit = LoggerFactory.getLogger("dev.semel.audit");

    @Option(
            names = "--from",
            paramLabel = "URL|FILE",
            description = "Import keys from a home-grown table: jdbc:postgresql://..., jdbc:mariadb://...,"
                    + " jdbc:mysql://..., sqlite:PATH or a CSV file. User and password come from the environment variables "
                    + TableRows.USER + " and " + TableRows.PASSWORD + ".")
    private @Nullable String from;

    @Option(
            names = "--map",
            paramLabel = "FILE",
            description = "With --from: the mapping of columns, in YAML; see docs/moving-to-semel.md.")
    private @Nullable Path map;

    @Option(names = "--dry-run", description = "With --from: change nothing, and print what would be done.")
    private boolean dryRun;

    @Option(
            names = "--in-progress",
            paramLabel = "hold|skip",
            description = "With --from: import operations that have not ended as unknown, so that they do not run again"
                    + " until an operator resolves them, or leave them out.")
    private RowMapper.@Nullable InProgress inProgress;

    @Option(
            names = "--progress",
            paramLabel = "FILE",
            description =
                    "With --from: remembers how far the import has come. Default: the mapping with .progress behind"
                            + " its name. Start an interrupted command again to continue from there.")
    private @Nullable Path progressFile;

    @Option(names = "--restart", description = "With --from: begin with the first row again.")
    private boolean restart;

    @Option(
            names = "--list",
            paramLabel = "N",
            defaultValue = "100",
            description = "With --from: how many rejected rows to list (default: ${DEFAULT-VALUE}).")
    private int listed;

    /** Whether keys are to be imported from a table at all. */
    public boolean isMeant() {
        if ((from == null) != (map == null)) {
            throw new IllegalArgumentException(
                    "--from and --map go together: the place of the keys, and their mapping");
        }
        return from != null;
    }

    /** Imports the keys into a store; the exit code. */
    public int run(Inspecting store, KeyStore keys, String storeName, PrintWriter out, PrintWriter err)
            throws Exception {
        String source = Objects.requireNonNull(from);
        Path mappingFile = Objects.requireNonNull(map);
        TableMapping mapping = TableMapping.read(mappingFile);
        Importing importing = KeyStore.capability(keys, Importing.class)
                .orElseThrow(() -> new ConfigException("the store " + storeName + " cannot import keys"));
        TableImport run =
                new TableImport(new RowMapper(mapping, inProgress), store, dryRun ? null : importing, listed, out, err);
        try {
            if (dryRun) {
                try (RowSource rows = open(source, mapping, null)) {
                    run.run(rows, null);
                }
                return end(run, out);
            }
            run(run, source, mapping, mappingFile, storeName);
            return end(run, out);
        } catch (SQLException e) {
            // Without its cause, which may have the URL with its password.
            throw new ConfigException("--from: " + Secrets.without(source, String.valueOf(e.getMessage())) + goOn());
        } finally {
            if (!dryRun) {
                audit.info(
                        "event=import by=cli:{} from={} to={} {}",
                        System.getProperty("user.name", "?"),
                        Secrets.url(source),
                        storeName,
                        run.counts().toJson().encode());
            }
        }
    }

    private String goOn() {
        return dryRun ? "" : "; start the same command again to continue";
    }

    private void run(TableImport run, String source, TableMapping mapping, Path mappingFile, String storeName)
            throws Exception {
        Path remembered = progressFile != null
                ? progressFile
                : mappingFile.resolveSibling(mappingFile.getFileName() + ".progress");
        JsonObject about = new JsonObject()
                .put("source", TableRows.isUrl(source) ? Secrets.url(source) : source)
                .put(
                        "mapping",
                        HexFormat.of().formatHex(LengthPrefixedDigest.sha256Of(Files.readAllBytes(mappingFile))))
                .put("store", storeName)
                .put("choice for rows in progress", String.valueOf(inProgress));
        if (!TableRows.isUrl(source)) {
            about.put("version of the file", CsvRows.version(Path.of(source)));
        }
        ImportProgress progress = ImportProgress.read(remembered, about, restart);
        try (RowSource rows = open(source, mapping, progress.position())) {
            run.run(rows, progress);
        }
    }

    private int end(TableImport run, PrintWriter out) {
        out.println(run.counts().inWords(run.words()));
        out.flush();
        return run.counts().of(ImportCounts.Count.REJECTED) == 0 ? 0 : 1;
    }

    private static RowSource open(String source, TableMapping mapping, @Nullable Object position)
            throws SQLException, IOException {
        return TableRows.isUrl(source)
                ? TableRows.open(source, mapping, position)
                : CsvRows.open(Path.of(source), mapping, position);
    }
}
