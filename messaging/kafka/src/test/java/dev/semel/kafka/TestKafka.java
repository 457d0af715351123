package dev.semel.kafka;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A Kafka broker in this process, which the tests of this module share. */
final class TestKafka {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Path directory;
    private final int port;
    private final int controllerPort;
    private KafkaRaftServer server;

    private TestKafka(Path directory, int port, int controllerPort) {
        this.directory = directory;
        this.port = port;
        this.controllerPort = controllerPort;
    }

    private static final class Shared {

        static final TestKafka BROKER = start();

        private static TestKafka start() {
            try {
                TestKafka broker = TestKafka.start();
                Runtime.getRuntime().addShutdownHook(new Thread(broker::delete));
                return broker;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static TestKafka shared() {
        return Shared.BROKER;
    }

    private static TestKafka start() throws Exception {
        TestKafka broker = new TestKafka(Files.createTempDirectory("semel-kafka"), freePort(), freePort());
        Formatter formatter = new Formatter()
                .setPrintStream(new PrintStream(java.io.OutputStream.nullOutputStream()))
                .setNodeId(1)
                .setClusterId(Uuid.randomUuid().toString())
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(broker.logs())
                .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                .addDirectory(broker.logs());
        formatter.run();
        broker.startUp();
        return broker;
    }

    private String logs() {
        return directory.resolve("logs").toString();
    }

    void startUp() {
        Properties config = new Properties();
        config.put("process.roles", "broker,controller");
        config.put("node.id", "1");
        config.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        config.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        config.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        config.put("controller.listener.names", "CONTROLLER");
        config.put("log.dirs", logs());
        config.put("offsets.topic.replication.factor", "1");
        config.put("offsets.topic.num.partitions", "1");
        config.put("transaction.state.log.replication.factor", "1");
        config.put("transaction.state.log.min.isr", "1");
        config.put("transaction.state.log.num.partitions", "1");
        config.put("share.coordinator.state.topic.replication.factor", "1");
        config.put("share.coordinator.state.topic.num.partitions", "1");
        config.put("group.initial.rebalance.delay.ms", "0");
        config.put("group.min.session.timeout.ms", "500");
        config.put("log.cleaner.enable", "false");
        server = new KafkaRaftServer(KafkaConfig.fromProps(config, false), Time.SYSTEM);
        server.startup();
    }

    void shutDown() {
        server.shutdown();
        server.awaitShutdown();
    }

    private void delete() {
        shutDown();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    String bootstrap() {
        return "127.0.0.1:" + port;
    }

    Map<String, Object> config() {
        return Map.of("bootstrap.servers", bootstrap());
    }

    /** A new topic with that many partitions. */
    String newTopic(int partitions) throws Exception {
        String topic = "topic-" + NAMES.incrementAndGet();
        createTopic(topic, partitions);
        return topic;
    }

    /** Returns when the partitions have leaders: a producer that comes earlier gets its sequence numbers wrong. */
    void createTopic(String topic, int partitions) throws Exception {
        try (Admin admin = Admin.create(config())) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get();
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            for (int partition = 0; partition < partitions; partition++) {
                ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
            }
            await().ignoreExceptions()
                    .until(() -> admin.listOffsets(ends).all().get().size() == partitions);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
