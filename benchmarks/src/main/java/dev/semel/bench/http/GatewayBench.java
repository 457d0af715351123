package dev.semel.bench.http;

import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.server.Nginx;
import dev.semel.bench.server.PostgresServer;
import dev.semel.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same requests to the service itself, through nginx, and through the gateway without and with a key. */
record GatewayBench(Path directory, Duration warmUp, Duration time, int rounds) {

    private static final String DIRECT = "direct";
    static final String NGINX = "nginx";
    static final String PASSTHROUGH = "gateway, no key";
    static final String SQLITE = "gateway, SQLite";
    static final String POSTGRES = "gateway, PostgreSQL";
    private static final String ROW = "%-22s %12s %10s %10s%n";

    Report run() throws Exception {
        Wrk wrk = Wrk.find(directory);
        Rounds results = new Rounds();
        String durability;
        try (ServerProcess service = Nginx.service(directory);
                ServerProcess nginx = Nginx.proxy(directory, service.port());
                PostgresServer postgres = PostgresServer.start();
                ServerProcess onSqlite = gateway("sqlite", service.port(), "sqlite:" + directory.resolve("keys.db"));
                ServerProcess onPostgres = gateway("postgres", service.port(), postgres.url())) {
            durability = postgres.description() + "; SQLite, journal_mode=wal, synchronous=full (set by the store)";
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
                    Target target = each.getValue();
                    // The first round gives the compiler of the gateways time to do its work.
                    boolean warmsUp = round == 0 && target.port() != service.port() && target.port() != nginx.port();
                    Result result = wrk.run(target.port(), target.protect(), warmsUp ? warmUp : time);
                    if (round > 0) {
                        results.add(each.getKey(), result);
                    }
                }
            }
            progress.end();
        }
        Report report = report(results);
        report.text(durability);
        return report;
    }

    private record Target(int port, boolean protect) {}

    private ServerProcess gateway(String name, int upstream, String store) throws IOException {
        return ServerProcess.gateway(directory.resolve(name + ".log"), List.of(), upstream, store, "--admin", "off");
    }

    static Report report(Rounds results) {
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
