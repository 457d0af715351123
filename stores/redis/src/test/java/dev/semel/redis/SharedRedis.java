package dev.semel.redis;

import dev.semel.spi.KeyStore;
import dev.semel.testservers.RedisCluster;
import dev.semel.testservers.RedisProcess;
import dev.semel.testservers.SentinelGroup;
import java.time.Duration;
import java.util.UUID;

/** The servers that the test classes of this module share; each test has a store of its own in them. */
enum SharedRedis {
    SINGLE {
        @Override
        String url() {
            return Single.SERVER.url();
        }
    },
    SENTINEL {
        @Override
        String url() {
            return Watched.GROUP.url();
        }
    },
    CLUSTER {
        @Override
        String url() {
            return Clustered.CLUSTER.url();
        }
    };

    abstract String url();

    KeyStore open(String prefix) {
        return RedisKeyStore.builder(url())
                .prefix(prefix)
                .createIfMissing()
                .timeout(PATIENCE)
                .build();
    }

    static String newPrefix() {
        return "test-" + UUID.randomUUID();
    }

    /** A busy machine is no reason for a failover, which loses what was not confirmed, nor for giving a call up. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Started when first needed. */
    private static final class Single {
        static final RedisProcess SERVER = RedisProcess.start();
    }

    private static final class Watched {
        static final SentinelGroup GROUP = SentinelGroup.start(PATIENCE);
    }

    private static final class Clustered {
        static final RedisCluster CLUSTER = RedisCluster.start(PATIENCE);
    }
}
