package dev.semel.bench.stores;

import dev.semel.bench.measure.BenchCommand;
import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the other stores, each against the least that could be done on its engine. */
@Command(
        name = "stores",
        description = {
            "Measures the other stores, each in turns with the least that could be done on its engine: Redis against SET"
                    + " NX and SET over one pipelined connection, with appendfsync always; MariaDB and MySQL against"
                    + " one commit for the claim and one for the settle; DynamoDB against one conditional put and one update; Cassandra and etcd against one"
                    + " write if there is nothing and one if it has not changed.",
            "",
            "The servers are started by the benchmark, of Cassandra three. For DynamoDB that is DynamoDB Local, whose speed does not tell you"
                    + " Amazon's; a table there can be named instead."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class StoresCommand extends BenchCommand {

    private interface StoreBench {
        void run(MeasurementPlan plan, Report report) throws Exception;
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--only",
            paramLabel = "ENGINE",
            description = "redis, mariadb, mysql, dynamodb, cassandra or etcd alone")
    private @Nullable String only;

    @Option(names = "--dynamodb", paramLabel = "TABLE", description = "a table of Amazon's to measure in; costs money")
    private @Nullable String dynamoDb;

    @Option(names = "--quick", description = "a rough measurement, in a few seconds")
    private boolean quick;

    @Override
    protected Report measure() throws Exception {
        if (only != null && !benches().containsKey(only)) {
            throw new ParameterException(
                    spec.commandLine(), "--only takes one of " + benches().keySet() + ", got \"" + only + "\"");
        }
        MeasurementPlan plan = quick ? MeasurementPlan.QUICK : MeasurementPlan.FULL;
        Report report = new Report(
                "Throughput of claim and settle, against the least that could be done",
                "%-36s %10s %8s %10s %10s%n",
                "",
                "per second",
                "x floor",
                "p50 ms",
                "p99 ms");
        report.text("responses of " + Payload.of(Payload.newKey()).length() + " bytes, Java " + Runtime.version());
        for (Map.Entry<String, StoreBench> bench : benches().entrySet()) {
            if (only == null || only.equals(bench.getKey())) {
                bench.getValue().run(plan, report);
            }
        }
        return report;
    }

    private Map<String, StoreBench> benches() {
        Map<String, StoreBench> benches = new LinkedHashMap<>();
        benches.put("redis", RedisBench::run);
        benches.put("mariadb", MariaDbBench::run);
        benches.put("mysql", MariaDbBench::runInMySql);
        benches.put("dynamodb", (plan, report) -> DynamoDbBench.run(dynamoDb, plan, report));
        benches.put("cassandra", CassandraBench::run);
        benches.put("etcd", EtcdBench::run);
        return benches;
    }
}
