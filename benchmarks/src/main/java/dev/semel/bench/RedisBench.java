package dev.semel.bench;

import dev.semel.redis.RedisKeyStore;

/** The store in Redis against SET NX and SET over one pipelined connection, both with appendfsync always. */
final class RedisBench {

    private static final int CALLERS = 256;
    private static final String RAW = "raw, 256 in flight";

    private RedisBench() {}

    static void run(Plan plan, Report report) throws Exception {
        String semel = Names.inFlight(CALLERS);
        try (TempDirectory directory = TempDirectory.create("redis");
                RedisServer server = RedisServer.start(directory.path());
                RawRedis raw = new RawRedis(server.url())) {
            Duel duel = new Duel("redis");
            duel.run(
                    plan,
                    RAW,
                    time -> {
                        raw.flush();
                        return Load.inFlight(CALLERS, time, () -> raw.cycle(Payload.newKey()));
                    },
                    semel,
                    time -> {
                        raw.flush();
                        try (RedisKeyStore store = RedisKeyStore.builder(server.url())
                                .createIfMissing()
                                .build()) {
                            StoreCycle cycle = new StoreCycle(store);
                            return Load.inFlight(CALLERS, time, () -> cycle.run(Payload.newKey()));
                        }
                    });
            duel.report(report, RAW, semel, "raw");
        }
    }
}
