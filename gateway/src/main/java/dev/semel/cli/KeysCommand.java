package dev.semel.cli;

import dev.semel.erasure.Erasure;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.triage.Decision;
import dev.semel.gateway.triage.KeyJson;
import dev.semel.http.Scopes;
import dev.semel.spi.Decisions;
import dev.semel.spi.Erasing;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.StoreStatistics;
import dev.semel.util.CallerThread;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code semel keys}: lists the keys of a store, and resolves those with an unknown outcome. */
@Command(
        name = "keys",
        description = "Lists the keys of a store, and resolves those with an unknown outcome.",
        mixinStandardHelpOptions = true,
        subcommands = {ExportCommand.class, ImportCommand.class, CopyCommand.class, AcknowledgeLossCommand.class},
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  semel keys list --store sqlite:semel.db --state unknown",
            "  semel keys show 0f3c... --store sqlite:semel.db",
            "  semel keys resolve 0f3c... --store sqlite:semel.db --outcome succeeded --reason \"found in the ledger\"",
            "  semel keys resolve --where state=unknown,operation=charge,older=1h --outcome failed --reason \"refunded\" --store ...",
            "  semel keys export --store sqlite:semel.db --output unknown.csv",
            "  semel keys import answered.csv --store sqlite:semel.db --reason \"the processor's list of today\"",
            "  semel keys import --from jdbc:postgresql://db/orders --map mapping.yaml --dry-run --store ...",
            "  semel keys release 0f3c... --store sqlite:semel.db --reason \"the service never saw it\"",
            "  semel keys erase --scope customer-17 --store sqlite:semel.db",
            "  semel keys copy --from sqlite:semel.db --to jdbc:postgresql://db/semel"
        })
final class KeysCommand implements Runnable {

    static final String NOTHING_CHANGED = "nothing was changed";

    private static final int PAGE = 200;

    @Spec
    private CommandSpec spec;

    private KeysCommand() {}

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
            name = "list",
            description = "Lists keys, followed by the records in the store's audit window, marked \"audit\":"
                    + " these keys are free, and nothing is replayed.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    int list(
            @Mixin KeysOptions common,
            @Option(names = "--state", paramLabel = "STATE", description = "One of: ${COMPLETION-CANDIDATES}.")
                    @Nullable
                    KeyState state,
            @Option(names = "--operation", paramLabel = "NAME") @Nullable String operation,
            @Option(names = "--scope", paramLabel = "SCOPE") @Nullable String scope,
            @Option(names = "--key", paramLabel = "VALUE", description = "The whole key.") @Nullable String key,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "1000",
                            description = "The most keys to print (default: ${DEFAULT-VALUE}).")
                    int limit)
            throws Exception {
        RemoteKeys remote = common.remote();
        if (remote != null) {
            return remote.list(common, new RemoteKeys.Conditions(state, operation, scope, key), limit);
        }
        return common.run((store, keys) -> {
            KeyQuery query = KeyQuery.builder(PAGE)
                    .state(state)
                    .operation(operation)
                    .scope(scope)
                    .value(key)
                    .build();
            int left = limit;
            common.printHead();
            while (left > 0) {
                KeyPage page = CallerThread.await(store.page(query));
                for (KeyRecord each :
                        page.records().subList(0, Math.min(left, page.records().size()))) {
                    common.print(KeyJson.summary(each));
                }
                left -= page.records().size();
                if (page.next() == null) {
                    break;
                }
                query = query.after(page.next());
            }
            common.out().flush();
            return 0;
        });
    }

    @Command(name = "show", description = "Shows a key's whole story.", mixinStandardHelpOptions = true)
    int show(@Mixin KeysOptions common, @Parameters(paramLabel = "DIGEST") String digest) throws Exception {
        RemoteKeys remote = common.remote();
        if (remote != null) {
            return show(common, remote.story(digest), remote.now());
        }
        return common.run((store, keys) ->
                show(common, KeyJson.story(common.find(store, digest)), CallerThread.await(store.now())));
    }

    private static int show(KeysOptions common, JsonObject story, Instant now) {
        if (common.isJson()) {
            return common.end(story);
        }
        KeyLines.printStory(common.out(), story, now);
        return 0;
    }

    @Command(name = "stats", description = "Shows statistics of the store.", mixinStandardHelpOptions = true)
    int stats(@Mixin KeysOptions common) throws Exception {
        RemoteKeys remote = common.remote();
        if (remote != null) {
            return common.end(remote.stats());
        }
        return common.run((store, keys) -> {
            StoreStatistics known = CallerThread.await(store.statistics());
            JsonObject json = new JsonObject();
            for (KeyState state : KeyState.values()) {
                json.put(state.name().toLowerCase(Locale.ROOT), known.keys().getOrDefault(state, 0L));
            }
            json.put("exact", known.exact())
                    .put("oldestPendingMillis", known.pendingAge().max().toMillis())
                    .put("purgeLagMillis", known.purgeLag().toMillis())
                    .put("bytes", known.bytes() < 0 ? null : known.bytes());
            return common.end(json);
        });
    }

    @Command(
            name = "resolve",
            description = "Settles a lapsed or unknown key, or all that --where finds.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    int resolve(
            @Mixin KeysOptions common,
            @Parameters(paramLabel = "DIGEST", arity = "0..1") @Nullable String digest,
            @Mixin BulkDecision.Keys many,
            @Option(names = "--outcome", required = true, paramLabel = "succeeded|failed") String outcome,
            @Option(
                            names = "--reason",
                            required = true,
                            paramLabel = "TEXT",
                            description = "The reason; stored in its history.")
                    String reason,
            @Option(names = "--status", paramLabel = "N", description = "The status that duplicates get.") @Nullable
                    Integer status,
            @Option(names = "--content-type", paramLabel = "TYPE") @Nullable String contentType,
            @Option(names = "--body", paramLabel = "TEXT", description = "The body that duplicates get.") @Nullable
                    String body,
            @Option(names = "--yes", description = "Do not ask.") boolean yes)
            throws Exception {
        Decision decision = decision(outcome, reason, status, contentType, body);
        if (decision.outcome() == null) {
            throw new ParameterException(spec.commandLine(), "to release a key, use: semel keys release");
        }
        return decide(common, digest, many, decision, yes);
    }

    @Command(
            name = "release",
            description = "Releases a lapsed or unknown key, or all that --where finds, because their operations were"
                    + " not executed: the next request with such a key runs.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    int release(
            @Mixin KeysOptions common,
            @Parameters(paramLabel = "DIGEST", arity = "0..1") @Nullable String digest,
            @Mixin BulkDecision.Keys many,
            @Option(
                            names = "--reason",
                            required = true,
                            paramLabel = "TEXT",
                            description = "The reason, for the audit.")
                    String reason,
            @Option(names = "--yes", description = "Do not ask.") boolean yes)
            throws Exception {
        return decide(common, digest, many, decision("released", reason, null, null, null), yes);
    }

    @Command(
            name = "erase",
            description =
                    "Removes all records of a scope, for example when a person asks for their data to be erased. Keys that are"
                            + " pending, lapsed or unknown are left; a request whose key was erased runs again when it is"
                            + " retried.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    int erase(
            @Mixin KeysOptions common,
            @Option(
                            names = "--scope",
                            required = true,
                            paramLabel = "SCOPE",
                            description =
                                    "The caller, or the scope as semel keys list --json shows it: callers with long"
                                            + " names, and those of --scope credential, are stored as digests.")
                    String scope,
            @Option(
                            names = "--reason",
                            paramLabel = "TEXT",
                            defaultValue = "none given",
                            description = "The reason; stored in the audit.")
                    String reason,
            @Option(names = "--yes", description = "Do not ask.") boolean yes)
            throws Exception {
        return common.run((store, keys) -> {
            if (KeyStore.capability(keys, Erasing.class).isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(),
                        "the store " + StoreUrls.redacted(common.url()) + " cannot erase records before they expire");
            }
            if (!yes && !confirmed(common.out(), "all records of scope " + scope + " will be removed; go on?")) {
                return 1;
            }
            Erasure.Erased erased = new Erasure.Erased(0, 0);
            for (String stored : Scopes.stored(scope)) {
                erased = erased.and(Erasure.ofScope(keys, stored, BulkDecision.me(), reason));
            }
            common.out().println("erased: " + erased.removed() + " records");
            if (erased.removed() + erased.left() == 0) {
                common.out()
                        .println("There is no record of this scope. Where the gateway runs with --scope credential,"
                                + " it stores a digest of the credential instead of the caller: read the scope off"
                                + " a record of the caller, with semel keys list --key VALUE --json, and erase that.");
            }
            if (erased.left() > 0) {
                common.out()
                        .println("left: " + erased.left()
                                + " keys that are pending, lapsed or unknown; erase again when they are settled");
            }
            common.out().flush();
            return erased.left() > 0 ? 1 : 0;
        });
    }

    private Decision decision(
            String outcome,
            String reason,
            @Nullable Integer status,
            @Nullable String contentType,
            @Nullable String body) {
        return SemelCommand.read(spec, () -> Decision.of(outcome, reason, status, contentType, body));
    }

    private int decide(
            KeysOptions common, @Nullable String digest, BulkDecision.Keys many, Decision decision, boolean yes)
            throws Exception {
        String where = many.where;
        if ((digest == null) == (where == null)) {
            throw new ParameterException(spec.commandLine(), "give the DIGEST of a key, or --where CONDITIONS");
        }
        if (where == null) {
            return decide(common, String.valueOf(digest), decision, yes);
        }
        try {
            return common.withMany((target, now) -> new BulkDecision(target, common.out())
                    .decideWhere(KeyWhere.parse(where, true, now), many.limit, decision, yes));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static int decide(KeysOptions common, String digest, Decision decision, boolean yes) throws Exception {
        RemoteKeys remote = common.remote();
        if (remote != null) {
            return remote.decide(common, digest, decision, yes);
        }
        return common.run((store, keys) -> {
            KeyRecord each = common.find(store, digest);
            if (!yes && !confirmed(common.out(), KeyLines.question(each, decision.name()))) {
                return 1;
            }
            Decisions.Result result = CallerThread.await(Decisions.apply(
                    keys,
                    each.key().digest(),
                    each.token(),
                    decision.resolution(),
                    BulkDecision.me(),
                    decision.reason()));
            String line = switch (result) {
                case APPLIED -> "key " + digest + " is now " + decision.name();
                case MOVED_ON ->
                    "nothing was changed: key " + digest + " is "
                            + each.state().name().toLowerCase(Locale.ROOT)
                            + ", and only lapsed and unknown keys can be resolved";
                case HELD_FIRST ->
                    "key " + digest
                            + " was lapsed, so its owner could still have started the operation; it is held as"
                            + " unknown now, and it cannot start. Check again whether the operation took effect, then repeat"
                            + " this command";
            };
            return common.end(result == Decisions.Result.APPLIED ? 0 : 1, line);
        });
    }

    /** Asks for confirmation before a command changes something; otherwise says that nothing was changed. */
    static boolean confirmed(PrintWriter out, String question) throws IOException {
        out.print(question + " [y/N] ");
        out.flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        if (answer != null && (answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes"))) {
            return true;
        }
        out.println(NOTHING_CHANGED);
        out.flush();
        return false;
    }
}
