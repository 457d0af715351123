package dev.semel.testservers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A Kafka broker in this process. */
public final class KafkaBroker implements AutoCloseable {

    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final long POLL_NANOS = 20_000_000;

    private final Path directory = Files.createTempDirectory("semel-kafka");
    private final int port = TestPorts.free();
    private final int controllerPort = TestPorts.free();
    private KafkaRaftServer server;

    private KafkaBroker() throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
                .setNodeId(1)
                .setClusterId(Uuid.randomUuid().toString())
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(logs())
                .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                .addDirectory(logs())
                .run();
        server = startServer();
    }

    public static KafkaBroker start() throws Exception {
        return new KafkaBroker();
    }

    private String logs() {
        return directory.resolve("logs").toString();
    }

    private KafkaRaftServer startServer() {
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
        KafkaRaftServer started = new KafkaRaftServer(KafkaConfig.fromProps(config, false), Time.SYSTEM);
        started.startup();
        return started;
    }

    /** Stops the broker in good order, and starts it again at the same address with what it had. */
    public void restart() {
        shutDown();
        server = startServer();
    }

    private void shutDown() {
        server.shutdown();
        server.awaitShutdown();
    }

    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    public Map<String, Object> config() {
        return Map.of("bootstrap.servers", bootstrap());
    }

    /** Returns when the partitions have leaders: a producer that comes earlier gets its sequence numbers wrong. */
    public void createTopic(String topic, int partitions) throws Exception {
        try (Admin admin = Admin.create(config())) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get();
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            for (int partition = 0; partition < partitions; partition++) {
                ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
            }
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (!haveLeaders(admin, ends)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("the partitions of " + topic + " have no leaders");
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static boolean haveLeaders(Admin admin, Map<TopicPartition, OffsetSpec> ends) throws Exception {
        try {
            return admin.listOffsets(ends).all().get().size() == ends.size();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        shutDown();
        TempDirectory.delete(directory);
    }
}
