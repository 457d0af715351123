package dev.semel.bench.stores;

import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Report;
import dev.semel.redis.RedisKeyStore;
import dev.semel.testservers.TempDirectory;
import dev.semel.testservers.TestRedis;

/** The store in Redis against SET NX and SET over one pipelined connection, both with appendfsync always. */
final class RedisBench {

    private RedisBench() {}

    static void run(MeasurementPlan plan, Report report) throws Exception {
        try (TempDirectory directory = TempDirectory.create("redis");
                TestRedis server = TestRedis.start("appendonly yes", "appendfsync always", "dir " + directory.path());
                RawRedis raw = new RawRedis(server.url())) {
            StoreComparison comparison = new StoreComparison("redis", 256, plan, report);
            comparison.run(
                    "raw",
                    "raw, 256 in flight",
                    time -> {
                        raw.flush();
                        return comparison.inFlight(raw::cycle).run(time);
                    },
                    time -> {
                        raw.flush();
                        try (RedisKeyStore store = RedisKeyStore.builder(server.url())
                                .createIfMissing()
                                .build()) {
                            return comparison.cycles(store).run(time);
                        }
                    });
        }
    }
}
