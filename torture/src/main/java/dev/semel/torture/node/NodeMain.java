package dev.semel.torture.node;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.peers.Peers;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.Failpoints;
import dev.semel.torture.service.LedgerClient;
import dev.semel.torture.service.SystemUnderTest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The process of one node. It prints the port that it serves on when it is ready. */
public final class NodeMain {

    /** How the line begins that says on which port the node serves. */
    public static final String READY = "ready on port ";

    /** In leases: longer than the slowest operations of the load, which take two, as designs without a heartbeat need. */
    private static final int PATIENCE = 3;

    private static final int CONNECTIONS = 10;

    private NodeMain() {}

    /** Serves until it is killed or asked to stop. */
    public static void main(String[] arguments) throws Exception {
        NodeOptions options = NodeOptions.parse(arguments);
        LedgerClient ledger = new LedgerClient(options.ledgerPort(), options.name());
        Failpoints failpoints = new Failpoints(ledger);
        boolean semel = options.system().equals("semel");
        Business business = new Business(ledger, failpoints, options.name(), !semel);
        HikariDataSource pool = options.url().startsWith("jdbc:") ? pool(options) : null;
        SystemUnderTest system = semel
                ? new SemelSystem(options, pool, business, failpoints, ledger)
                : Peers.named(
                        options.system(),
                        Objects.requireNonNull(pool),
                        options.redisPort(),
                        business,
                        options.node(),
                        options.lease().multipliedBy(PATIENCE));
        ControlHandler control = new ControlHandler(failpoints, business, system, pool);
        NodeServer server = switch (options.door()) {
            case "servlet" -> ServletNode.start((SemelSystem) system, control);
            case "webflux" -> WebFluxNode.start((SemelSystem) system, control);
            case "kafka", "sqs", "rabbitmq" -> MessageNode.start((SemelSystem) system, options, control);
            default -> PlainNode.start(system::handle, control);
        };
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            close(system, pool);
        }));
        System.out.println(READY + server.port());
    }

    private static void close(SystemUnderTest system, @Nullable HikariDataSource pool) {
        system.close();
        if (pool != null) {
            pool.close();
        }
    }

    private static HikariDataSource pool(NodeOptions options) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(options.url());
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(2_000);
        config.setValidationTimeout(1_000);
        // A node that is started while the database is down waits for it.
        config.setInitializationFailTimeout(60_000);
        return new HikariDataSource(config);
    }
}
