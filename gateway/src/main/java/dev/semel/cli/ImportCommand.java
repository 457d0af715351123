package dev.semel.cli;

import dev.semel.KeyDigest;
import dev.semel.cli.move.ImportFromTable;
import dev.semel.gateway.triage.Decision;
import dev.semel.gateway.triage.DecisionFile;
import dev.semel.gateway.triage.DecisionRequest;
import dev.semel.gateway.triage.FoundKey;
import dev.semel.gateway.triage.KeySearch;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code semel keys import}: resolves keys from a file that says which of them were executed, or imports keys from a
 * table.
 */
@Command(
        name = "import",
        description = {
            "Resolves unknown or lapsed keys from a CSV or JSON file. Each row has digest, or key and scope; and"
                    + " executed (yes or no), or outcome (succeeded, failed or released). Optional: token, status,"
                    + " contentType and body.",
            "",
            "Rows with a problem are listed, and not applied.",
            "",
            "With --from and --map: imports keys from a home-grown table, or from a CSV file, while it is in use."
                    + " Keys that the store already has stay unchanged. Start an interrupted import again to"
                    + " continue it."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ImportCommand implements Callable<Integer> {

    private static final long MAX_BYTES = 64 << 20;

    @Spec
    private CommandSpec spec;

    @Mixin
    private KeysOptions common;

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "The file with decisions.")
    private @Nullable Path file;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Kept with every decision of FILE.")
    private @Nullable String reason;

    @Option(
            names = "--status",
            paramLabel = "N",
            description = "The status that duplicates of an executed operation get.")
    private @Nullable Integer status;

    @Option(names = "--content-type", paramLabel = "TYPE")
    private @Nullable String contentType;

    @Option(names = "--body", paramLabel = "TEXT", description = "The body that they get.")
    private @Nullable String body;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "The most keys to decide" + " (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Mixin
    private ImportFromTable table;

    @Override
    public Integer call() throws Exception {
        if (SemelCommand.read(spec, table::isMeant) == (file != null)) {
            throw new ParameterException(
                    spec.commandLine(), "name a FILE with decisions, or a table with --from and --map");
        }
        if (file == null) {
            return common.run((store, keys) -> table.run(
                    store,
                    keys,
                    common.storeName(),
                    common.out(),
                    spec.commandLine().getErr()));
        }
        if (reason == null) {
            throw new ParameterException(spec.commandLine(), "Missing required option: '--reason=TEXT'");
        }
        return decide(file, reason);
    }

    private int decide(Path file, String reason) throws Exception {
        if (Files.size(file) > MAX_BYTES) {
            throw new ParameterException(spec.commandLine(), file + " has more than " + MAX_BYTES + " bytes: split it");
        }
        String text = Files.readString(file);
        try {
            List<Map<String, String>> rows = text.stripLeading().startsWith("[")
                    ? DecisionFile.json(new JsonArray(text))
                    : DecisionFile.csv(text);
            return common.withMany((target, now) -> {
                List<FoundKey> undecided = target.find(KeyWhere.parse("", true, now), KeySearch.MOST_EXPORTED)
                        .keys();
                List<FoundKey> found = new ArrayList<>();
                List<DecisionRequest> decisions = new ArrayList<>();
                for (DecisionFile.Row row : new DecisionFile(undecided, response()).read(rows)) {
                    JsonObject decision = row.decision();
                    FoundKey key = row.key();
                    if (decision == null || key == null) {
                        common.out().println("row " + row.number() + ", " + row.name() + ": " + row.problem());
                    } else {
                        found.add(key);
                        decisions.add(request(decision, reason));
                    }
                }
                if (decisions.size() > limit) {
                    return common.end(
                            1, decisions.size() + " keys are more than --limit " + limit + "; nothing was changed");
                }
                if (decisions.isEmpty()) {
                    return common.end(1, "no row of " + file + " can be applied; nothing was changed");
                }
                BulkDecision bulk = new BulkDecision(target, common.out());
                bulk.preview(found, decisions);
                int code = bulk.decide(decisions, yes);
                return decisions.size() < rows.size() ? Math.max(1, code) : code;
            });
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), file + ": " + e.getMessage(), e);
        }
    }

    private JsonObject response() {
        return new JsonObject()
                .put("status", status)
                .put("contentType", contentType)
                .put("body", body);
    }

    private DecisionRequest request(JsonObject json, String reason) {
        return new DecisionRequest(
                KeyDigest.parse(json.getString("digest")),
                Long.parseLong(json.getString("token")),
                Decision.of(
                        json.getString("outcome"),
                        reason,
                        json.getInteger("status"),
                        json.getString("contentType"),
                        json.getString("body")));
    }
}
