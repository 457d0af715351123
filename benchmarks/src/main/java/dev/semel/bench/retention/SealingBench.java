package dev.semel.bench.retention;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.bench.design.SemelDesign;
import dev.semel.bench.design.Verification;
import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Sample;
import dev.semel.bench.server.PostgresServer;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Retention;
import dev.semel.sealing.LocalMasterKeys;
import dev.semel.sealing.Sealing;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
    private static final Fingerprint FINGERPRINT = Fingerprint.of("the request");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Retention RETENTION = Retention.of(Duration.ofHours(24));

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

    private record Turn(Sample sample, double walPerOperation, double bytes) {}

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
            Map<String, List<Turn>> turns = new LinkedHashMap<>();
            for (int round = 0; round <= scale.rounds(); round++) {
                for (Map.Entry<String, KeyStore> way : ways.entrySet()) {
                    progress.next("sealing, " + way.getKey());
                    Turn turn = turn(way.getValue(), round == 0 ? scale.warmUp() : scale.time());
                    if (round > 0) {
                        turns.computeIfAbsent(way.getKey(), any -> new ArrayList<>())
                                .add(turn);
                    }
                }
            }
            turns.forEach((name, measured) -> tell(name, measured, turns.getOrDefault(PLAIN, List.of())));
        } finally {
            callers.shutdownNow();
        }
    }

    private Turn turn(KeyStore store, Duration time) throws Exception {
        server.execute("TRUNCATE " + TABLE, "CHECKPOINT");
        long wal = server.walBytes();
        Sample sample = LoadDriver.inFlight(CALLERS, time, () -> cycle(store));
        double walPerOperation = (double) (server.walBytes() - wal) / sample.all();
        long keys = server.number("SELECT count(*) FROM " + TABLE + " WHERE state = 2");
        Verification.requireEqual("sealing", sample.all(), keys);
        long bytes = server.number(
                "SELECT sum(coalesce(octet_length(body), 0) + coalesce(octet_length(headers), 0)) FROM " + TABLE);
        return new Turn(sample, walPerOperation, (double) bytes / keys);
    }

    /** As callers should, it leaves the thread of the store before it does some work. */
    private CompletionStage<?> cycle(KeyStore store) {
        String key = Payload.newKey();
        ClaimRequest request = ClaimRequest.builder(Key.of("customer-17", key), "charge", FINGERPRINT)
                .lease(LEASE)
                .build();
        return store.claim(request)
                .thenComposeAsync(
                        claim -> store.settle(((Claim.Acquired) claim).lease(), SemelDesign.outcome(key), RETENTION),
                        callers);
    }

    private void tell(String name, List<Turn> turns, List<Turn> plain) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < turns.size(); i++) {
            ratios.add(turns.get(i).sample.perSecond() / plain.get(i).sample.perSecond());
        }
        double perSecond = RetentionBench.median(
                turns.stream().map(turn -> turn.sample.perSecond()).toList());
        double wal =
                RetentionBench.median(turns.stream().map(Turn::walPerOperation).toList());
        double bytes = RetentionBench.median(turns.stream().map(Turn::bytes).toList());
        double p99 = RetentionBench.median(
                turns.stream().map(turn -> turn.sample.millis(0.99)).toList());
        report.row(
                "sealing, " + name,
                String.format(Locale.ROOT, "%,.0f", perSecond),
                String.format(Locale.ROOT, "%.2f", RetentionBench.median(ratios)),
                String.format(Locale.ROOT, "%,.0f", wal),
                "",
                String.format(Locale.ROOT, "%.1f", p99));
        report.number("retention.sealing." + name + ".bytes", bytes);
        if (!name.equals(PLAIN)) {
            report.number("retention.sealing." + name + ".ratio", RetentionBench.median(ratios));
        }
    }
}
