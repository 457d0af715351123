package dev.semel.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What all connections have in common. The lanes bound what is sent over them, so Lettuce has nothing to hoard. */
final class Connections {

    private static final Duration SHUTDOWN = Duration.ofSeconds(5);

    /** Lettuce would wait for up to half a minute after a long outage. */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** More than all lanes have under way. */
    private static final int MOST_COMMANDS = 1 << 14;

    private Connections() {}

    static ClientResources resources() {
        return ClientResources.builder()
                .reconnectDelay(Delay.exponential(Duration.ofMillis(1), LONGEST_PAUSE, 2, TimeUnit.MILLISECONDS))
                .build();
    }

    static <B extends ClientOptions.Builder> B options(B builder, Duration timeout) {
        builder.requestQueueSize(MOST_COMMANDS).timeoutOptions(TimeoutOptions.enabled(timeout));
        return builder;
    }

    static void shutDown(AbstractRedisClient client, ClientResources resources) {
        client.shutdown(Duration.ZERO, SHUTDOWN);
        resources.shutdown(0, SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly(SHUTDOWN.toMillis());
    }
}
