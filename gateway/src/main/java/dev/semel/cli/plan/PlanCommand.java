package dev.semel.cli.plan;

import static dev.semel.cli.plan.CapacityPlan.Store.POSTGRES;
import static dev.semel.cli.plan.CapacityPlan.Store.REDIS;

import dev.semel.cli.plan.CapacityPlan.Choice;
import dev.semel.gateway.config.Parse;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code semel plan}: computes the resources for a rate of requests. */
@Command(
        name = "plan",
        description =
                "Estimates what you need to protect a number of requests per second: gateways, a store, its settings, disk"
                        + " and memory. It uses the measured cost of one request, and does not connect to anything.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {"  semel plan --rate 5000 --retention 24h --response 2kB", "  semel plan --rate 200 --json"})
public final class PlanCommand implements Callable<Integer> {

    private static final List<Choice> CHOICES = List.of(
            new Choice(POSTGRES, false), new Choice(POSTGRES, true), new Choice(REDIS, false), new Choice(REDIS, true));
    private static final long LARGEST_RESPONSE = 1 << 20;

    @Spec
    private CommandSpec spec;

    @Option(names = "--rate", required = true, paramLabel = "NUMBER", description = "New keys per second, at the peak.")
    private String rate;

    @Option(
            names = "--retention",
            paramLabel = "DURATION",
            defaultValue = "24h",
            description = "How long a key is kept. Default: ${DEFAULT-VALUE}.")
    private String retention;

    @Option(
            names = "--response",
            paramLabel = "SIZE",
            defaultValue = "2kB",
            description = "The size of an average response. Default: ${DEFAULT-VALUE}.")
    private String response;

    @Option(names = "--json", description = "Print the plan as one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        int perSecond =
                read("--rate", rate, text -> Parse.number(text, 1), "Give the new keys per second, such as 5000.");
        Duration kept = read(
                "--retention", retention, Parse::positiveDuration, "Give the retention of your keys, such as 24h.");
        if (kept.toSeconds() == 0) {
            throw wrong("--retention", "must be at least a second, got \"" + retention + "\"", "Give it as 24h.");
        }
        long bytes =
                read("--response", response, PlanCommand::size, "Give the size of an average response, such as 2kB.");
        if (bytes > LARGEST_RESPONSE) {
            throw wrong(
                    "--response",
                    "must be at most 1m, got \"" + response + "\"",
                    "A gateway does not store larger responses unless you raise --max-response: plan with the"
                            + " average, not the largest.");
        }
        CapacityPlan plan = new CapacityPlan(perSecond, kept, bytes, MeasuredFigures.load());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(toJson(plan).encodePrettily());
        } else {
            print(plan, out);
        }
        out.flush();
        return 0;
    }

    private <T> T read(String option, String text, Function<String, T> parser, String remedy) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw wrong(option, String.valueOf(e.getMessage()), remedy);
        }
    }

    private ParameterException wrong(String option, String problem, String remedy) {
        return new ParameterException(spec.commandLine(), option + ": " + problem + ". " + remedy);
    }

    /** Sizes as settings have them, and as people write them: 2k, 2kB. */
    private static long size(String text) {
        try {
            return Parse.size(text.replaceFirst("(?<=[0-9kKmM])[bB]$", ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("expected a size such as 512, 2kB or 1m, got \"" + text + "\"", e);
        }
    }

    private void print(CapacityPlan plan, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "To protect %,d requests per second, with responses of %s kept for %s%n%n",
                plan.rate(),
                unit(plan.response()),
                retention);
        row(out, "", PlanCommand::title);
        row(out, "gateways, 2 cores each", choice -> "" + plan.gateways(choice));
        row(out, "cores, primaries", choice -> "" + plan.serverCores(choice));
        row(out, "connections to them", choice -> "" + plan.connections(choice));
        row(out, "keys at most", choice -> count(plan.mostKeys(choice.store())));
        row(out, "disk", choice -> unit(plan.disk(choice)));
        row(out, "memory", choice -> unit(plan.memory(choice)));
        row(out, "log per second", choice -> unit(plan.logPerSecond(choice)));
        out.println();
        advise(plan, out);
        explain(plan, out);
    }

    private static String title(Choice choice) {
        String store = choice.store() == POSTGRES ? "PostgreSQL" : "Redis Cluster";
        return choice.compressed() ? "compressed" : store;
    }

    private static void explain(CapacityPlan plan, PrintWriter out) {
        Choice postgres = CHOICES.get(0);
        Choice redis = CHOICES.get(2);
        String more = plan.generations() ? "; PostgreSQL: x 1.5, until a generation is emptied" : "";
        out.printf(
                Locale.ROOT,
                """

                How it is computed, without compression:
                  keys      %,d/s x %,d s = %s%s
                  disk      keys x %,.0f bytes; Redis: twice its memory, when its log is rewritten
                  memory    keys x %,.0f bytes of index; Redis: keys x %,.0f bytes, and the same for its replicas
                  log       %,d/s x %,.0f bytes; Redis: %,.0f. Of a large table in PostgreSQL up to %s/s:
                            8 kB more each, since the first write to a page after a checkpoint logs all of it
                  cores     %,d/s x %,.0f us; Redis: %,.0f us. Half of each core is left free
                  gateways  %,d/s x %,.0f us; on Redis: %,.0f us. Two at least. Each takes %s of memory
                  service   a connection for each request in flight: %,d if it answers in 100 ms

                An estimate from one gateway on a machine with %s, measured on %s.
                Measure on yours before you rely on it: ./semel bench scale. docs/scale.md says more.
                """,
                plan.rate(),
                plan.retention().toSeconds(),
                count(plan.keys()),
                more,
                plan.bytesPerKey(postgres),
                plan.indexPerKey(),
                plan.bytesPerKey(redis),
                plan.rate(),
                plan.logPerRequest(postgres),
                plan.logPerRequest(redis),
                unit(plan.mostLogPerSecond(postgres)),
                plan.rate(),
                plan.serverMicros(postgres),
                plan.serverMicros(redis),
                plan.rate(),
                plan.gatewayMicros(postgres),
                plan.gatewayMicros(redis),
                unit(plan.gatewayMemory()),
                Math.max(1, plan.rate() / 10),
                plan.figures().text("machine"),
                plan.figures().text("date"));
    }

    private static void row(PrintWriter out, String name, Function<Choice, String> value) {
        out.printf("%-24s", name);
        CHOICES.forEach(choice -> out.printf(" %14s", value.apply(choice)));
        out.println();
    }

    private void advise(CapacityPlan plan, PrintWriter out) {
        Choice advice = plan.advice();
        if (advice == null) {
            out.printf(
                    "Take DynamoDB or Cassandra: this is more than PostgreSQL does with %d cores, or Redis with %d primaries.%n",
                    CapacityPlan.MOST_CORES, CapacityPlan.MOST_PRIMARIES);
            out.println("They were not measured, because a figure from one machine says nothing about your cluster.");
        } else if (advice.store() == POSTGRES) {
            String generations = plan.generations() ? "?generations=" + written(plan.generation()) : "";
            out.printf(
                    "Take PostgreSQL%s, with a synchronous standby:%n",
                    generations.isEmpty() ? "" : " with generations");
            out.printf(
                    "  semel serve --retention %s --store 'jdbc:postgresql://HOST/DATABASE%s'%n",
                    retention, generations);
            out.printf(
                    "  postgresql.conf: max_connections above %d, max_wal_size %s or more%n",
                    plan.connections(advice), unit(plan.maxWalSize(advice)));
        } else {
            out.printf(
                    "Take a Redis Cluster of %d primaries with a replica each: PostgreSQL would need more than %d cores.%n",
                    plan.serverCores(advice), CapacityPlan.MOST_CORES);
            out.printf("  semel serve --retention %s --store 'redis-cluster://HOST,HOST,HOST?replicas=1'%n", retention);
            out.println("  redis.conf: appendonly yes, appendfsync always, maxmemory-policy noeviction");
        }
    }

    private JsonObject toJson(CapacityPlan plan) {
        Choice advice = plan.advice();
        JsonObject json = new JsonObject()
                .put("rate", plan.rate())
                .put("retentionSeconds", plan.retention().toSeconds())
                .put("responseBytes", plan.response())
                .put("keys", (long) plan.keys())
                .put("generationSeconds", plan.generations() ? plan.generation().toSeconds() : null)
                .put("gatewayMemoryBytes", (long) plan.gatewayMemory())
                .put("advice", advice == null ? null : name(advice))
                .put("measuredOn", plan.figures().text("date"))
                .put("machine", plan.figures().text("machine"));
        CHOICES.forEach(choice -> json.put(name(choice), toJson(plan, choice)));
        return json;
    }

    private static JsonObject toJson(CapacityPlan plan, Choice choice) {
        JsonObject json = new JsonObject()
                .put("gateways", plan.gateways(choice))
                .put("storeCores", plan.serverCores(choice))
                .put("connections", plan.connections(choice))
                .put("mostKeys", (long) plan.mostKeys(choice.store()))
                .put("diskBytes", (long) plan.disk(choice))
                .put("memoryBytes", (long) plan.memory(choice))
                .put("logBytesPerSecond", (long) plan.logPerSecond(choice));
        if (choice.store() == POSTGRES) {
            json.put("mostLogBytesPerSecond", (long) plan.mostLogPerSecond(choice))
                    .put("maxWalSizeBytes", (long) plan.maxWalSize(choice));
        }
        return json;
    }

    private static String name(Choice choice) {
        return choice.store().name().toLowerCase(Locale.ROOT) + (choice.compressed() ? "Compressed" : "");
    }

    /** As a setting has it, in the largest unit that loses nothing. */
    private static String written(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    private static String count(double number) {
        if (number < 1e6) {
            return String.format(Locale.ROOT, "%,.0f", number);
        }
        return number < 1e9
                ? String.format(Locale.ROOT, "%.1f million", number / 1e6)
                : String.format(Locale.ROOT, "%,.1f billion", number / 1e9);
    }

    /** Bytes as people say them, in powers of 1000 as disks are sold. */
    static String unit(double bytes) {
        double value = bytes;
        for (String unit : List.of("bytes", "kB", "MB", "GB", "TB")) {
            if (value < 1000) {
                return String.format(
                        Locale.ROOT, unit.equals("bytes") || value >= 100 ? "%.0f %s" : "%.1f %s", value, unit);
            }
            value /= 1000;
        }
        return String.format(Locale.ROOT, "%,.1f PB", value);
    }
}
