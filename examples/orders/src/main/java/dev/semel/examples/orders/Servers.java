package dev.semel.examples.orders;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A PostgreSQL and a Kafka of the example's own, so that it starts with one command. */
final class Servers implements AutoCloseable {

    private final EmbeddedPostgres postgres;
    private final KafkaRaftServer kafka;
    private final Path directory;
    private final String bootstrap;

    private Servers(EmbeddedPostgres postgres, KafkaRaftServer kafka, Path directory, String bootstrap) {
        this.postgres = postgres;
        this.kafka = kafka;
        this.directory = directory;
        this.bootstrap = bootstrap;
    }

    static Servers start() throws Exception {
        EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                // It comes with both off, and would forget what it has promised to keep.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        Path directory = Files.createTempDirectory("semel-orders");
        int port = freePort();
        int controller = freePort();
        String logs = directory.resolve("logs").toString();
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
                .setNodeId(1)
                .setClusterId(Uuid.randomUuid().toString())
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(logs)
                .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                .addDirectory(logs)
                .run();
        Properties config = new Properties();
        config.put("process.roles", "broker,controller");
        config.put("node.id", "1");
        config.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
        config.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller);
        config.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        config.put("controller.listener.names", "CONTROLLER");
        config.put("log.dirs", logs);
        config.put("offsets.topic.replication.factor", "1");
        config.put("offsets.topic.num.partitions", "1");
        config.put("transaction.state.log.replication.factor", "1");
        config.put("transaction.state.log.min.isr", "1");
        config.put("transaction.state.log.num.partitions", "1");
        config.put("group.initial.rebalance.delay.ms", "0");
        KafkaRaftServer kafka = new KafkaRaftServer(KafkaConfig.fromProps(config, false), Time.SYSTEM);
        kafka.startup();
        String bootstrap = "127.0.0.1:" + port;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic("orders", 4, (short) 1), new NewTopic("orders.dead", 1, (short) 1)))
                    .all()
                    .get();
        }
        return new Servers(postgres, kafka, directory, bootstrap);
    }

    String database() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    String kafka() {
        return bootstrap;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        kafka.shutdown();
        kafka.awaitShutdown();
        postgres.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
