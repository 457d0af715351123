package dev.semel.torture.peers;

import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.SystemUnderTest;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/** A claim by {@code SET NX EX} in Redis; every exception is stored as a failure. A claim whose owner died stays. */
final class RedisSetNx implements SystemUnderTest {

    private static final SetArgs CLAIM = SetArgs.Builder.nx().ex(Duration.ofHours(24));
    private static final SetArgs END = SetArgs.Builder.keepttl();
    private static final String IN_FLIGHT = "in_flight";

    private final Business business;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    RedisSetNx(int port, Business business) {
        this.business = business;
        this.client = RedisClient.create(RedisURI.create("127.0.0.1", port));
        this.connection = client.connect();
    }

    @Override
    public ServiceReply handle(ServiceRequest request) throws Exception {
        RedisCommands<String, String> redis = connection.sync();
        String key = "idem:" + request.key();
        if (redis.set(key, value(IN_FLIGHT, request, ""), CLAIM) == null) {
            return existing(redis.get(key), request);
        }
        try {
            byte[] outcome = business.runOutside(request, 1, 0);
            redis.set(key, value("completed", request, SqlPeer.text(outcome)), END);
            return ServiceReply.executed(outcome);
        } catch (Exception e) {
            redis.set(key, value("failed", request, "{\"error\": \"" + request.id() + "\"}"), END);
            throw e;
        }
    }

    private static String value(String status, ServiceRequest request, String body) {
        return status + "\n" + SqlPeer.hash(request) + "\n" + body;
    }

    private static ServiceReply existing(String value, ServiceRequest request) {
        String[] parts = value.split("\n", 3);
        if (parts[0].equals(IN_FLIGHT)) {
            return ServiceReply.of(ServiceReply.Kind.IN_FLIGHT);
        }
        return parts[1].equals(SqlPeer.hash(request))
                ? ServiceReply.replayed(SqlPeer.bytes(parts[2]))
                : ServiceReply.of(ServiceReply.Kind.MISMATCH);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
