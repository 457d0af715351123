package dev.semel.torture;

import dev.semel.torture.node.Bug;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.StoreKind;
import dev.semel.torture.plan.TorturePlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of the torture. */
@Command(
        name = "semel torture",
        description = "Starts real servers and nodes, breaks them in every way it knows, and says whether anything ran"
                + " twice, was lost, or leaked.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        showDefaultValues = true,
        subcommands = {CompareCommand.class, NightCommand.class, TallyCommand.class},
        footer = {
            "",
            "Exit code: 0 if every guarantee held, 1 if one was broken, 2 for wrong arguments.",
            "",
            "Examples:",
            "  ./semel torture --quick",
            "  ./semel torture --seconds 1800 --json torture.json",
            "  ./semel torture --store sqlite --faults kill,pause,disk",
            "  ./semel torture --store etcd --door gateway --seconds 60",
            "  ./semel torture --store redis --door servlet --seconds 60",
            "  ./semel torture --store postgres --door kafka --seconds 60",
            "  ./semel torture --seed 42 --faults ackLost --seconds 30",
            "  ./semel torture --system insert-then-lock --faults kill,pause --seconds 30",
            "  ./semel torture compare --table docs/torture-table.md",
            "  ./semel torture night --directory night --minutes 480",
            "  ./semel torture tally night"
        })
public final class Main implements Callable<Integer> {

    @Option(names = "--seconds", paramLabel = "N", description = "How long there is load and faults.")
    private int seconds = 120;

    @Option(
            names = "--store",
            paramLabel = "NAME",
            description =
                    "Where keys are kept: postgres, postgres-generations, pgbouncer, patroni, mariadb, mysql, galera, sqlite,"
                            + " redis, redis-sentinel, redis-cluster, dynamodb, cassandra or etcd.")
    private String store = "postgres";

    @Option(
            names = "--door",
            paramLabel = "NAME",
            description = "The way in: engine, servlet, webflux, gateway, kafka, sqs or rabbitmq.")
    private String door = "engine";

    @Option(
            names = "--faults",
            paramLabel = "LIST",
            description =
                    "Which faults: all, none, or some of kill, pause, snapshot, clock, pool, memory, executor, heartbeat,"
                            + " renewals, upgrade, upstream, broker, ackLost, partition, throttle, rowLock, slowCommit, stall,"
                            + " restart, restore, failover, standby, disk, operator, erasure, rotation. Those that the store or the door does"
                            + " not have are left out.")
    private String faults = "all";

    @Option(names = "--seed", paramLabel = "N", description = "Repeats a schedule; chosen and printed if not given.")
    private @Nullable Long seed;

    @Option(names = "--quick", description = "A run of 20 seconds.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Where to write the numbers.")
    private @Nullable Path json;

    @Option(
            names = "--minimise",
            paramLabel = "RUNS",
            arity = "0..1",
            fallbackValue = "30",
            description = "If something was broken, repeats it up to so many times with ever fewer faults.")
    private int minimise;

    @Option(
            names = "--minimise-minutes",
            paramLabel = "N",
            description = "After this time, --minimise begins no other run.")
    private int minimiseMinutes = 60;

    @Option(names = "--verbose", description = "Prints every figure too, those of --json and more.")
    private boolean verbose;

    @Option(names = "--nodes", paramLabel = "N", description = "How many nodes there are.")
    private int nodes = 4;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "How many requests are sent per second, at most; 300 by default, 40 for DynamoDB.")
    private @Nullable Integer rate;

    @Option(names = "--lease", paramLabel = "MILLIS", description = "The lease of every operation.")
    private int lease = 3_000;

    @Option(names = "--system", paramLabel = "NAME", description = "What is tortured: semel, or the name of a peer.")
    private String system = "semel";

    @Option(names = "--bug", paramLabel = "NAME", description = "A mistake to plant, to see that it is found.")
    private String bug = "none";

    private Main() {}

    /** Runs the torture and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        StoreKind kind = StoreKind.named(store);
        TorturePlan plan = new TorturePlan(
                Duration.ofSeconds(quick ? 20 : seconds),
                kind,
                Door.named(door),
                FaultKind.parse(faults),
                seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed,
                nodes,
                rate == null ? kind.usualRate() : rate,
                Duration.ofMillis(lease),
                system,
                Bug.named(bug),
                system.equals("semel"));
        Verdict verdict = new TortureRun(plan, System.out).run();
        verdict.print(System.out);
        if (verbose) {
            verdict.printFigures(System.out);
        }
        if (json != null) {
            Files.writeString(json, verdict.json());
        }
        if (minimise > 0 && !verdict.findings().isClean()) {
            minimise(plan, verdict);
        }
        return verdict.findings().isClean() ? 0 : 1;
    }

    private void minimise(TorturePlan plan, Verdict verdict) throws Exception {
        Minimiser.Limit limit = new Minimiser.Limit(minimise, Duration.ofMinutes(minimiseMinutes));
        BrokenStory story = new Minimiser(plan, Minimiser.Repetition::silently, limit, Clock.systemUTC(), System.out)
                .minimise(new Minimiser.Broken(verdict.faults().injected(), verdict.findings(), verdict.took()));
        System.out.println();
        story.lines().forEach(System.out::println);
    }
}
