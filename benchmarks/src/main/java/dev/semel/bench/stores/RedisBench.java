package dev.semel.bench.stores;

import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.MeasurementNames;
import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.server.RedisServer;
import dev.semel.bench.server.TempDirectory;
import dev.semel.redis.RedisKeyStore;

/** The store in Redis against SET NX and SET over one pipelined connection, both with appendfsync always. */
final class RedisBench {

    private static final int CALLERS = 256;
    private static final String RAW = "raw, 256 in flight";

    private RedisBench() {}

    static void run(MeasurementPlan plan, Report report) throws Exception {
        String semel = MeasurementNames.inFlight(CALLERS);
        try (TempDirectory directory = TempDirectory.create("redis");
                RedisServer server = RedisServer.start(directory.path());
                RawRedis raw = new RawRedis(server.url())) {
            StoreComparison duel = new StoreComparison("redis");
            duel.run(
                    plan,
                    RAW,
                    time -> {
                        raw.flush();
                        return LoadDriver.inFlight(CALLERS, time, () -> raw.cycle(Payload.newKey()));
                    },
                    semel,
                    time -> {
                        raw.flush();
                        try (RedisKeyStore store = RedisKeyStore.builder(server.url())
                                .createIfMissing()
                                .build()) {
                            StoreCycle cycle = new StoreCycle(store);
                            return LoadDriver.inFlight(CALLERS, time, () -> cycle.run(Payload.newKey()));
                        }
                    });
            duel.report(report, RAW, semel, "raw");
        }
    }
}
