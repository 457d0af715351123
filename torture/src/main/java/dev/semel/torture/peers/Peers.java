package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.SystemUnderTest;
import java.time.Duration;
import java.util.List;

/** The other designs by their names. */
public final class Peers {

    /** In the order in which they are shown. */
    public static final List<String> NAMES = List.of(
            "select-then-insert",
            "insert-then-lock",
            "insert-then-poll",
            "caller-and-key",
            "in-flight-guard",
            "atomic-claim",
            "redis-set-nx",
            "camel",
            "spring-integration",
            "dbos",
            "jdempotent");

    private Peers() {}

    /** Whether the system stores what an operation returned, so that a duplicate can be given it. */
    public static boolean keepsOutcomes(String name) {
        return !name.equals("camel") && !name.equals("spring-integration");
    }

    /** Whether the system has its keys in Redis, and not in PostgreSQL. */
    public static boolean areKeptInRedis(String name) {
        return name.equals("redis-set-nx") || name.equals("jdempotent");
    }

    /**
     * Makes the design with this name.
     *
     * @param node the name of the node through all its incarnations
     * @param patience how long the design waits before it takes an owner for dead
     */
    public static SystemUnderTest named(
            String name, HikariDataSource pool, int redisPort, Business business, String node, Duration patience) {
        return switch (name) {
            case "select-then-insert" -> new SelectThenInsert(pool, business);
            case "insert-then-lock" -> new InsertThenLock(pool, business, patience);
            case "insert-then-poll" -> new InsertThenPoll(pool, business);
            case "caller-and-key" -> new CallerAndKey(pool, business);
            case "in-flight-guard" -> new InFlightGuard(pool, business, patience);
            case "atomic-claim" -> new AtomicClaim(pool, business);
            case "redis-set-nx" -> new RedisSetNx(redisPort, business);
            case "camel" -> new CamelRepository(pool, business);
            case "spring-integration" -> new SpringIntegrationStore(pool, business);
            case "dbos" -> new DbosWorkflow(pool, business, node);
            case "jdempotent" -> new JdempotentAspect(redisPort, business);
            default -> throw new IllegalArgumentException("there is no system " + name + "; there are semel, " + NAMES);
        };
    }
}
