package dev.semel.bench.http;

import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.server.Nginx;
import dev.semel.bench.server.PostgresServer;
import dev.semel.bench.server.ServerProcess;
import dev.semel.testservers.TestPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The same requests to the service itself, through nginx, and through the gateway without and with a key. */
record GatewayBench(Path directory, Duration warmUp, Duration time, int rounds) {

    private static final String DIRECT = "direct";
    private static final String NGINX = "nginx";
    private static final String PASSTHROUGH = "gateway, no key";
    private static final String SQLITE = "gateway, SQLite";
    private static final String POSTGRES = "gateway, PostgreSQL";
    private static final String ROW = "%-22s %12s %10s %10s%n";

    Report run() throws Exception {
        Wrk wrk = Wrk.find(directory);
        Rounds results = new Rounds();
        try (ServerProcess service = Nginx.service(directory);
                ServerProcess nginx = Nginx.proxy(directory, service.port());
                PostgresServer postgres = PostgresServer.start();
                ServerProcess onSqlite = gateway("sqlite", service.port(), "sqlite:" + directory.resolve("keys.db"));
                ServerProcess onPostgres = gateway("postgres", service.port(), postgres.url())) {
            Map<String, Target> targets = new LinkedHashMap<>();
            targets.put(DIRECT, new Target(service.port(), false));
            targets.put(NGINX, new Target(nginx.port(), false));
            targets.put(PASSTHROUGH, new Target(onSqlite.port(), false));
            targets.put(SQLITE, new Target(onSqlite.port(), true));
            targets.put(POSTGRES, new Target(onPostgres.port(), true));
            Progress progress = new Progress((rounds + 1) * targets.size());
            for (int round = 0; round <= rounds; round++) {
                for (Map.Entry<String, Target> each : targets.entrySet()) {
                    progress.next(each.getKey());
                    Result result =
                            wrk.run(each.getValue().port(), each.getValue().protect(), round == 0 ? warmUp : time);
                    // The first round gives the compiler of the gateway time to do its work.
                    if (round > 0) {
                        results.add(each.getKey(), result);
                    }
                }
            }
            progress.end();
        }
        return report(results);
    }

    private record Target(int port, boolean protect) {}

    private ServerProcess gateway(String name, int upstream, String store) throws IOException {
        int port = TestPorts.free();
        return ServerProcess.start(
                directory.resolve(name + ".log"),
                port,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.semel.cli.SemelCommand",
                "serve",
                "--upstream",
                "http://127.0.0.1:" + upstream,
                "--listen",
                "127.0.0.1:" + port,
                "--admin",
                "off",
                "--store",
                store);
    }

    private static Report report(Rounds results) {
        Report report = new Report(
                "Gateway: requests per second, " + Wrk.CONNECTIONS + " connections",
                ROW,
                "",
                "per second",
                "p50 ms",
                "p99 ms");
        report.text(Runtime.getRuntime().availableProcessors() + " processors, Java " + Runtime.version());
        for (String name : results.names()) {
            report.row(
                    name,
                    String.format("%.0f", results.median(name, Result::perSecond)),
                    String.format("%.2f", results.median(name, Result::p50)),
                    String.format("%.2f", results.median(name, Result::p99)));
        }
        report.number("gateway.passthrough.p50.ratio.nginx", results.ratio(PASSTHROUGH, NGINX, Result::p50));
        report.number("gateway.passthrough.throughput.ratio.nginx", results.throughput(PASSTHROUGH, NGINX));
        report.number("gateway.protected.throughput.sqlite", results.median(SQLITE, Result::perSecond));
        report.number("gateway.protected.throughput.postgres", results.median(POSTGRES, Result::perSecond));
        report.number("gateway.protected.throughput.sqlite.ratio.passthrough", results.throughput(SQLITE, PASSTHROUGH));
        report.number(
                "gateway.protected.throughput.postgres.ratio.passthrough", results.throughput(POSTGRES, PASSTHROUGH));
        return report;
    }
}
