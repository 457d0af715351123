package dev.semel.bench;

import dev.semel.redis.RedisKeyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the other stores, each against the least that could be done on its engine. */
@Command(
        name = "stores",
        description = {
            "Measures the Redis store against SET NX and SET over one pipelined connection.",
            "",
            "Starts its own server, with appendfsync always, and measures both in turns, with 256 callers."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class StoresCommand implements Callable<Integer> {

    private static final int CALLERS = 256;
    private static final String RAW = "raw, 256 in flight";
    private static final String SEMEL = Names.inFlight(CALLERS);

    @Option(names = "--quick", description = "a rough measurement, in a few seconds")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "where to write the numbers, as one flat JSON object")
    private @Nullable Path json;

    @Override
    public Integer call() throws Exception {
        Plan plan = quick ? Plan.QUICK : Plan.FULL;
        Report report = new Report(
                "Redis: throughput of claim and settle, against SET NX and SET",
                "%-24s %10s %8s %10s %10s%n",
                "",
                "per second",
                "x raw",
                "p50 ms",
                "p99 ms");
        report.text("responses of " + Payload.of(Payload.newKey()).length() + " bytes, Java " + Runtime.version());
        Path directory = Files.createTempDirectory("semel-bench-redis");
        try (RedisServer server = RedisServer.start(directory)) {
            Rounds rounds = measure(server, plan);
            for (String what : rounds.names()) {
                report.row(
                        what,
                        format("%,.0f", rounds.median(what, Result::perSecond)),
                        format("%.2f", throughput(rounds, what)),
                        format("%.2f", rounds.median(what, Result::p50)),
                        format("%.2f", rounds.median(what, Result::p99)));
            }
            report.number("redis.throughput.ratio.raw", throughput(rounds, SEMEL));
            report.number("redis.p99.ratio.raw", rounds.median(SEMEL, RAW, (a, b) -> a.p99() / b.p99()));
        } finally {
            delete(directory);
        }
        report.print(System.out);
        if (json != null) {
            report.writeJson(json);
            System.out.println("numbers: " + json);
        }
        return 0;
    }

    private static Rounds measure(RedisServer server, Plan plan) throws Exception {
        Rounds rounds = new Rounds();
        Progress progress = new Progress((plan.rounds() + 1) * 2);
        try (RawRedis raw = new RawRedis(server.url())) {
            for (int round = 0; round <= plan.rounds(); round++) {
                Duration time = round == 0 ? plan.warmUp() : plan.time();
                progress.next(RAW);
                raw.flush();
                add(rounds, round, RAW, Load.inFlight(CALLERS, time, () -> raw.cycle(Payload.newKey())));
                progress.next(SEMEL);
                raw.flush();
                try (RedisKeyStore store =
                        RedisKeyStore.builder(server.url()).setUpIfEmpty(true).build()) {
                    StoreCycle cycle = new StoreCycle(store);
                    add(rounds, round, SEMEL, Load.inFlight(CALLERS, time, () -> cycle.run(Payload.newKey())));
                }
            }
        } finally {
            progress.end();
        }
        return rounds;
    }

    private static void add(Rounds rounds, int round, String what, Sample sample) {
        if (round > 0) {
            rounds.add(what, new Result(sample.perSecond(), sample.millis(0.5), sample.millis(0.99), -1, -1));
        }
    }

    private static double throughput(Rounds rounds, String what) {
        return rounds.median(what, RAW, (a, b) -> a.perSecond() / b.perSecond());
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
