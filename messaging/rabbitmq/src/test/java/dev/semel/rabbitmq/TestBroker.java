package dev.semel.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.server.SystemLauncher;

/** An AMQP 0-9-1 broker (Apache Qpid) in this process, which the tests of this module share. */
final class TestBroker {

    private TestBroker() {}

    private static final class Shared {

        static final int PORT = start();

        private static int start() {
            try {
                int port = freePort();
                Path directory = Files.createTempDirectory("semel-qpid");
                Path config = Files.writeString(directory.resolve("config.json"), configuration(port));
                Map<String, Object> attributes = new HashMap<>();
                attributes.put("type", "Memory");
                attributes.put("initialConfigurationLocation", config.toUri().toString());
                attributes.put("startupLoggedToSystemOut", "false");
                attributes.put("qpid.work_dir", directory.toString());
                SystemLauncher launcher = new SystemLauncher();
                launcher.startup(attributes);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    launcher.shutdown();
                    delete(config, directory);
                }));
                return port;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        private static void delete(Path... files) {
            for (Path file : files) {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private static String configuration(int port) {
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
                   "name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
                   "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\"}"
                 } ]
               }
               """.formatted(port);
    }

    static int port() {
        return Shared.PORT;
    }

    static Connection connect() throws Exception {
        return connect(port());
    }

    static Connection connect(int port) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setVirtualHost("default");
        factory.setNetworkRecoveryInterval(100);
        return factory.newConnection();
    }

    static String newQueue(Connection connection) throws Exception {
        try (Channel channel = connection.createChannel()) {
            String queue = "queue-" + UUID.randomUUID();
            channel.queueDeclare(queue, true, false, false, null);
            return queue;
        }
    }

    static GetResponse get(Connection connection, String queue) throws Exception {
        try (Channel channel = connection.createChannel()) {
            return channel.basicGet(queue, true);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
