package dev.semel.spring.kafka;

import static dev.semel.spring.kafka.FailingListeners.CHILD;
import static dev.semel.spring.kafka.FailingListeners.DEAD;
import static dev.semel.spring.kafka.FailingListeners.DELIVERIES;
import static dev.semel.spring.kafka.FailingListeners.EFFECTS;
import static dev.semel.spring.kafka.FailingListeners.FAULTS;
import static dev.semel.spring.kafka.FailingListeners.REFUSALS;
import static dev.semel.spring.kafka.FailingListeners.REGISTRY_AWAY;
import static dev.semel.spring.kafka.FailingListeners.STORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.messaging.MessageVerdict;
import dev.semel.spi.KeyState;
import dev.semel.spring.DeadRecordException;
import dev.semel.testkit.Fault;
import dev.semel.testkit.StoreCall;
import dev.semel.testservers.KafkaBroker;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.MessageListenerContainer;

/** What fails around a Kafka listener is not its record's failure, and delays no other record. */
class KafkaListenerFailuresTest {

    private static KafkaBroker broker;
    private static Admin admin;
    private ConfigurableApplicationContext application;

    @BeforeAll
    static void start() throws Exception {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        broker = KafkaBroker.start();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
        admin.createTopics(List.of(
                        new NewTopic("places", 1, (short) 1),
                        new NewTopic("recreated", 1, (short) 1),
                        new NewTopic("waiting", 2, (short) 1),
                        new NewTopic("open", 1, (short) 1),
                        new NewTopic("read", 1, (short) 1)))
                .all()
                .get();
    }

    @AfterAll
    static void end() throws Exception {
        admin.close();
        broker.close();
    }

    @BeforeEach
    void run() {
        FAULTS.heal();
        List.of(EFFECTS, DEAD).forEach(List::clear);
        DELIVERIES.clear();
        REFUSALS.set(0);
        REGISTRY_AWAY.set(0);
        application = new SpringApplicationBuilder(FailingListeners.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + TestPostgres.url("postgres"),
                        "spring.kafka.bootstrap-servers=" + broker.bootstrap(),
                        "spring.kafka.consumer.auto-offset-reset=earliest",
                        "logging.level.root=WARN")
                .run();
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void aRecordOfARecreatedTopicIsADeadLetterAndNotSkipped() throws Exception {
        TopicPartition partition = new TopicPartition("recreated", 0);
        send("recreated", 0, "old", null);
        awaitCommitted("recreated", partition, 1);
        container("recreated").stop();
        admin.deleteTopics(List.of("recreated")).all().get();
        await().until(() -> !admin.listTopics().names().get().contains("recreated"));
        await().ignoreExceptions().until(() -> {
            admin.createTopics(List.of(new NewTopic("recreated", 1, (short) 1)))
                    .all()
                    .get();
            return true;
        });
        await().ignoreExceptions().until(() -> {
            admin.alterConsumerGroupOffsets("recreated", Map.of(partition, new OffsetAndMetadata(0)))
                    .all()
                    .get();
            return true;
        });

        send("recreated", 0, "new", null);
        container("recreated").start();

        await().until(() -> !DEAD.isEmpty());
        assertThat(DEAD).extracting(DeadRecordException::reason).containsExactly(MessageVerdict.Reason.MISMATCHED);
        assertThat(EFFECTS).containsExactly("old");
    }

    @Test
    void aNestedKeyInFlightLeavesTheRecordUnknown() throws Exception {
        TopicPartition partition = new TopicPartition("places", 0);
        CompletableFuture<Outcome> elsewhere = inFlight(CHILD, Fingerprint.of("charge"));
        long offset = end(partition);
        send("places", 0, "nested", null);

        await().until(() -> state(Namespace.DEFAULT.key("places", "places-0@" + offset)) == KeyState.UNKNOWN);
        await().until(() -> DELIVERIES.get("nested") >= 3);
        assertThat(EFFECTS).containsExactly("nested");
        assertThat(DEAD).isEmpty();
        elsewhere.completeExceptionally(new NotExecutedException("released", null));
        container("places").stop();
        skipTo(partition, offset + 1);
    }

    /** So that the record is not delivered to the next test. */
    private static void skipTo(TopicPartition partition, long offset) {
        await().ignoreExceptions()
                .until(() -> admin.alterConsumerGroupOffsets("places", Map.of(partition, new OffsetAndMetadata(offset)))
                                .all()
                                .get()
                        == null);
    }

    @Test
    void aRecordThatWaitsDoesNotDelayOtherPartitions() throws Exception {
        ListenerOperation listener = application
                .getBean(ListenerMethods.class)
                .operation(
                        FailingListeners.Places.class.getMethod("wait", ConsumerRecord.class),
                        FailingListeners.Places.class);
        Key key = Namespace.DEFAULT.key("waiting", listener.natural("held"));
        CompletableFuture<Outcome> elsewhere = inFlight(
                key,
                listener.fingerprint(new ConsumerRecord<>("waiting", 0, 0, null, "held"))
                        .forOperation(listener.policy().identity()));
        send("waiting", 0, "held", "held");
        // The pauses between deliveries have grown to several seconds by then.
        await().until(() -> DELIVERIES.getOrDefault("held", 0) >= 6);

        for (String value : List.of("1", "2", "3")) {
            send("waiting", 1, value, value);
            await().atMost(Duration.ofSeconds(2)).until(() -> EFFECTS.contains(value));
        }
        assertThat(EFFECTS).doesNotContain("held");
        elsewhere.completeExceptionally(new NotExecutedException("released", null));
        await().until(() -> EFFECTS.contains("held"));
    }

    @Test
    void anUnprotectedFailureIsSentToTheDeadLettersAgainButNotHandledAgain() throws Exception {
        FAULTS.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
        REFUSALS.set(3);
        TopicPartition partition = new TopicPartition("open", 0);
        send("open", 0, "charge", null);

        awaitCommitted("open", partition, end(partition));
        assertThat(EFFECTS).containsExactly("charge");
        assertThat(DEAD).hasSize(4);
    }

    @Test
    void aContainerStopsWhenTheEngineIsClosed() throws Exception {
        await().until(() -> container("places").getAssignedPartitions().size() == 1);
        application.getBean(Semel.class).close();
        send("places", 0, "late", null);

        await().until(() -> !container("places").isRunning());
        assertThat(EFFECTS).isEmpty();
        assertThat(DEAD).isEmpty();
        assertThat(DELIVERIES.getOrDefault("late", 0)).isLessThanOrEqualTo(2);
        skipTo(new TopicPartition("places", 0), end(new TopicPartition("places", 0)));
    }

    @Test
    void recordsAreReadAgainWhenTheSchemaRegistryIsBack() throws Exception {
        REGISTRY_AWAY.set(4);
        TopicPartition partition = new TopicPartition("read", 0);
        send("read", 0, "a", null);
        send("read", 0, "garbage", null);
        send("read", 0, "b", null);

        awaitCommitted("read", partition, end(partition));
        assertThat(EFFECTS).containsExactly("a", "b");
        assertThat(REGISTRY_AWAY).hasValue(0);
    }

    private CompletableFuture<Outcome> inFlight(Key key, Fingerprint fingerprint) {
        CompletableFuture<Outcome> elsewhere = new CompletableFuture<>();
        application
                .getBean(Semel.class)
                .operation(FailingListeners.CHARGE)
                .runAsync(key, fingerprint, attempt -> elsewhere);
        await().until(() -> state(key) == KeyState.PENDING);
        return elsewhere;
    }

    private static KeyState state(Key key) {
        return STORE.find(key.digest())
                .toCompletableFuture()
                .join()
                .map(found -> found.state())
                .orElse(null);
    }

    private MessageListenerContainer container(String id) {
        return application.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer(id);
    }

    @SuppressWarnings("unchecked")
    private void send(String topic, int partition, String value, String key) throws Exception {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, partition, null, value);
        if (key != null) {
            record.headers().add("Idempotency-Key", key.getBytes(StandardCharsets.UTF_8));
        }
        application.getBean(KafkaTemplate.class).send(record).get();
    }

    private static long end(TopicPartition partition) throws Exception {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    private static void awaitCommitted(String group, TopicPartition partition, long offset) {
        await().until(() -> {
            OffsetAndMetadata committed = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(partition);
            return committed != null && committed.offset() == offset;
        });
    }
}
