package dev.semel.testservers;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.qpid.server.SystemLauncher;

/** An AMQP 0-9-1 broker (Apache Qpid) in this process. */
public final class TestBroker implements AutoCloseable {

    private static final String MEMORY = """
            "type": "Memory", "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\"}\"""";

    private static final String DISK = """
            "type": "DERBY", "storePath": "%s",
            "virtualHostInitialConfiguration": "{\\"type\\": \\"ProvidedStore\\"}\"""";

    private final Path directory;
    private final int port;
    private final String store;
    private SystemLauncher launcher = new SystemLauncher();

    private TestBroker(Path directory, int port, String store) {
        this.directory = directory;
        this.port = port;
        this.store = store;
    }

    /** The broker that all share who ask for none of their own, with messages in memory. */
    private static final class Shared {

        static final TestBroker BROKER = start();

        private static TestBroker start() {
            try {
                TestBroker broker = new TestBroker(Files.createTempDirectory("semel-qpid"), TestPorts.free(), MEMORY);
                broker.startUp();
                Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
                return broker;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A broker that keeps persistent messages on disk, so that it can be restarted. */
    public static TestBroker durable() throws Exception {
        Path directory = Files.createTempDirectory("semel-qpid");
        TestBroker broker = new TestBroker(directory, TestPorts.free(), DISK.formatted(directory.resolve("messages")));
        broker.startUp();
        return broker;
    }

    public void startUp() throws Exception {
        Path config = Files.writeString(directory.resolve("config.json"), configuration(port, store));
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("type", "Memory");
        attributes.put("initialConfigurationLocation", config.toUri().toString());
        attributes.put("startupLoggedToSystemOut", "false");
        attributes.put("qpid.work_dir", directory.toString());
        launcher = new SystemLauncher();
        launcher.startup(attributes);
    }

    public void shutDown() {
        launcher.shutdown();
    }

    @Override
    public void close() {
        shutDown();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Connection open() throws Exception {
        return connect(port);
    }

    private static String configuration(int port, String store) {
        return """
               {
                 "name": "test", "modelVersion": "9.1",
                 "authenticationproviders": [ {
                   "name": "plain", "type": "Plain", "secureOnlyMechanisms": [],
                   "users": [ { "name": "guest", "password": "guest", "type": "managed" } ]
                 } ],
                 "ports": [ {
                   "name": "AMQP", "port": %d, "bindingAddress": "127.0.0.1",
                   "authenticationProvider": "plain", "protocols": [ "AMQP_0_9_1" ],
                   "virtualhostaliases": [
                     { "name": "nameAlias", "type": "nameAlias" }, { "name": "defaultAlias", "type": "defaultAlias" } ]
                 } ],
                 "virtualhostnodes": [ {
                   "name": "default", "defaultVirtualHostNode": "true",
                   %s
                 } ]
               }
               """.formatted(port, store);
    }

    public static int port() {
        return Shared.BROKER.port;
    }

    public static Connection connect() throws Exception {
        return connect(port());
    }

    public static Connection connect(int port) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setVirtualHost("default");
        // Longer than this broker takes to go down: one that is going down accepts connections that it has no use for.
        factory.setNetworkRecoveryInterval(1000);
        return factory.newConnection();
    }

    public static String newQueue(Connection connection) throws Exception {
        try (Channel channel = connection.createChannel()) {
            String queue = "queue-" + UUID.randomUUID();
            channel.queueDeclare(queue, true, false, false, null);
            return queue;
        }
    }

    public static GetResponse get(Connection connection, String queue) throws Exception {
        try (Channel channel = connection.createChannel()) {
            return channel.basicGet(queue, true);
        }
    }
}
