package dev.semel.bench.retention;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.design.StoreCycle;
import dev.semel.bench.design.Verification;
import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.measure.Sample;
import dev.semel.bench.server.PostgresServer;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.sealing.LocalMasterKeys;
import dev.semel.sealing.Sealing;
import dev.semel.spi.KeyStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Measures claims and settles of a store that compresses or encrypts what it keeps, over those of the same one as it is. */
final class SealingBench {

    static final int WAYS = 3;

    private static final int CONNECTIONS = 16;
    private static final int CALLERS = 256;
    private static final String PLAIN = "plain";
    private static final String TABLE = "semel_sealing";

    private final PostgresServer server;
    private final RetentionBench.Scale scale;
    private final Report report;
    private final Progress progress;
    private final ExecutorService callers = Executors.newFixedThreadPool(2);

    SealingBench(PostgresServer server, RetentionBench.Scale scale, Report report, Progress progress) {
        this.server = server;
        this.scale = scale;
        this.report = report;
        this.progress = progress;
    }

    void run() throws Exception {
        try (HikariDataSource pool = server.pool(CONNECTIONS);
                JdbcKeyStore store = JdbcKeyStore.builder(pool)
                        .table(TABLE)
                        .createIfMissing()
                        .build()) {
            Map<String, KeyStore> ways = new LinkedHashMap<>();
            ways.put(PLAIN, store);
            ways.put("compress", Sealing.compressing().around(store));
            ways.put(
                    "encrypt",
                    Sealing.encrypting(LocalMasterKeys.of(Map.of("bench", new byte[32])))
                            .around(store));
            Rounds rounds = new Rounds();
            for (int round = 0; round <= scale.rounds(); round++) {
                for (Map.Entry<String, KeyStore> way : ways.entrySet()) {
                    progress.next("sealing, " + way.getKey());
                    Result turn = turn(way.getValue(), round == 0 ? scale.warmUp() : scale.time());
                    if (round > 0) {
                        rounds.add(way.getKey(), turn);
                    }
                }
            }
            rounds.names().forEach(name -> tell(name, rounds));
        } finally {
            callers.shutdownNow();
        }
    }

    private Result turn(KeyStore store, Duration time) throws Exception {
        server.execute("TRUNCATE " + TABLE, "CHECKPOINT");
        long wal = server.walBytes();
        Sample sample = LoadDriver.inFlight(CALLERS, time, () -> cycle(store));
        double walPerOperation = (double) (server.walBytes() - wal) / sample.all();
        long keys = server.number("SELECT count(*) FROM " + TABLE + " WHERE state = 2");
        Verification.requireEqual("sealing", sample.all(), keys);
        long bytes = server.number(
                "SELECT sum(coalesce(octet_length(body), 0) + coalesce(octet_length(headers), 0)) FROM " + TABLE);
        return new Result(
                sample.perSecond(), sample.millis(0.5), sample.millis(0.99), walPerOperation, (double) bytes / keys);
    }

    /** As callers should, it leaves the thread of the store before it does some work. */
    private CompletionStage<?> cycle(KeyStore store) {
        String key = Payload.newKey();
        return store.claim(StoreCycle.request(key))
                .thenComposeAsync(claim -> new StoreCycle(store).settle(key, claim), callers);
    }

    private void tell(String name, Rounds rounds) {
        double ratio = rounds.throughput(name, PLAIN);
        report.row(
                "sealing, " + name,
                String.format(Locale.ROOT, "%,.0f", rounds.median(name, Result::perSecond)),
                String.format(Locale.ROOT, "%.2f", ratio),
                String.format(Locale.ROOT, "%,.0f", rounds.median(name, Result::walPerOperation)),
                "",
                String.format(Locale.ROOT, "%.1f", rounds.median(name, Result::p99)));
        report.number("retention.sealing." + name + ".bytes", rounds.median(name, Result::bytesPerKey));
        if (!name.equals(PLAIN)) {
            report.number("retention.sealing." + name + ".ratio", ratio);
        }
    }
}
