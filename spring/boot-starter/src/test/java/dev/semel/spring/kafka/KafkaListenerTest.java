package dev.semel.spring.kafka;

import static dev.semel.spring.kafka.KafkaListeners.DEAD;
import static dev.semel.spring.kafka.KafkaListeners.DELIVERIES;
import static dev.semel.spring.kafka.KafkaListeners.EFFECTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.semel.Attempt;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.testservers.KafkaBroker;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Listeners of Kafka act once on each record, and only settled records are committed. */
class KafkaListenerTest {

    private static KafkaBroker broker;
    private static Admin admin;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        broker = KafkaBroker.start();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
        List<NewTopic> topics = List.of(
                        "positions",
                        "positions-dlt",
                        "keys",
                        "keys-dlt",
                        "shipments",
                        "shipments-dlt",
                        "transactions",
                        "transactions-dlt",
                        "transacted",
                        "transacted-dlt")
                .stream()
                .map(topic -> new NewTopic(topic, 1, (short) 1))
                .toList();
        admin.createTopics(topics).all().get();
        application = new SpringApplicationBuilder(KafkaListeners.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + TestPostgres.url("postgres"),
                        "spring.kafka.bootstrap-servers=" + broker.bootstrap(),
                        "spring.kafka.consumer.auto-offset-reset=earliest",
                        "spring.kafka.consumer.enable-auto-commit=true",
                        "semel.lease=2s",
                        "logging.level.root=WARN")
                .run();
    }

    @AfterAll
    static void stop() throws Exception {
        application.close();
        admin.close();
        broker.close();
    }

    @BeforeEach
    void forget() {
        EFFECTS.clear();
        DEAD.clear();
        DELIVERIES.clear();
    }

    @Test
    void actsOnceOnARecordThatIsDeliveredAgain() throws Exception {
        long before = end("positions");
        send("positions", "a", null);
        awaitCommitted("positions", "positions", before + 1);

        rewind("positions", "positions", before);

        await().until(() -> DELIVERIES.get("a") == 2);
        awaitCommitted("positions", "positions", before + 1);
        assertThat(EFFECTS).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"positions", "transacted"})
    void aRecordThatWasNotExecutedIsTriedAgain(String topic) throws Exception {
        long before = end(topic);
        send(topic, "refused", "refused");
        send(topic, "behind", "behind");

        awaitCommitted(topic, topic, before + 2);
        assertThat(EFFECTS).extracting(effect -> effect.split(" ")[0]).containsExactly("refused", "behind");
        assertThat(DEAD).isEmpty();
    }

    @Test
    void aFailureIsADeadLetterWithTheReason() throws Exception {
        long before = end("positions");
        send("positions", "broken", null);
        send("positions", "next", null);

        awaitCommitted("positions", "positions", before + 2);
        await().until(() -> !DEAD.isEmpty());
        assertThat(EFFECTS).containsExactly("broken", "next");
        ConsumerRecord<String, String> dead = DEAD.get(0);
        assertThat(dead.value()).isEqualTo("broken");
        assertThat(header(dead, "semel-reason")).isEqualTo("FAILED");
        assertThat(header(dead, "semel-exception")).isEqualTo(IllegalStateException.class.getName());
        assertThat(header(dead, "semel-message")).isEqualTo("out of stock");
        assertThat(header(dead, "semel-operation")).isEqualTo("by-position");
        assertThat(header(dead, "semel-key"))
                .isEqualTo(Namespace.DEFAULT
                        .key("positions", "positions-0@" + before)
                        .digest()
                        .toString());
    }

    @Test
    void aRecordThatWasSentTwiceHasOneEffectAndOneWithOtherContentIsDead() throws Exception {
        long before = end("keys");
        send("keys", "order", "sent-twice");
        send("keys", "order", "sent-twice");
        send("keys", "another order", "sent-twice");
        send("keys", "no key", null);

        awaitCommitted("keys", "keys", before + 4);
        await().until(() -> DEAD.size() == 2);
        assertThat(EFFECTS).containsExactly("order customer 1");
        assertThat(DEAD).extracting(ConsumerRecord::value).containsExactly("another order", "no key");
        assertThat(DEAD).extracting(dead -> header(dead, "semel-reason")).containsExactly("MISMATCHED", "UNREADABLE");
        assertThat(header(DEAD.get(1), "semel-message")).contains("has no idempotency key", "#header");
    }

    @ParameterizedTest
    @ValueSource(classes = {KafkaListeners.Keys.class, KafkaListeners.Transacted.class})
    void aRecordWhoseKeyIsInFlightElsewhereIsNeitherSkippedNorCommittedOver(Class<?> type) throws Exception {
        String topic = type.getSimpleName().toLowerCase(Locale.ROOT);
        long before = end(topic);
        CompletableFuture<Outcome> elsewhere = new CompletableFuture<>();
        ListenerOperation listener = application
                .getBean(ListenerMethods.class)
                .operation(type.getMethod("on", String.class, ConsumerRecord.class, Attempt.class), type);
        Key key = Namespace.DEFAULT.key(topic, listener.natural("in-flight"));
        Fingerprint fingerprint = listener.fingerprint(new ConsumerRecord<>(topic, 0, 0, "customer", "held"))
                .forOperation(listener.policy().identity());
        ExternalPolicy policy =
                Policy.external("elsewhere").lease(Duration.ofSeconds(2)).build();
        application.getBean(Semel.class).operation(policy).runAsync(key, fingerprint, attempt -> elsewhere);
        await().until(() -> application
                .getBean(Semel.class)
                .find(key)
                .toCompletableFuture()
                .get()
                .isPresent());
        send(topic, "held", "in-flight");
        send(topic, "behind", "behind-it");

        await().until(() -> DELIVERIES.getOrDefault("held", 0) >= 4);
        assertThat(EFFECTS).isEmpty();
        assertThat(committed(topic, topic)).isEqualTo(before);

        elsewhere.completeExceptionally(new NotExecutedException("released", null));
        awaitCommitted(topic, topic, before + 2);
        assertThat(EFFECTS).containsExactly("held customer 1", "behind customer 1");
        assertThat(DEAD).isEmpty();
    }

    @Test
    void listenersOfOneGroupDoNotTakeEachOthersKeys() throws Exception {
        long keys = end("keys");
        long shipments = end("shipments");
        send("keys", "booked", "of-both");
        awaitCommitted("keys", "keys", keys + 1);
        send("shipments", "shipped", "of-both");
        awaitCommitted("keys", "shipments", shipments + 1);

        assertThat(EFFECTS).containsExactly("booked customer 1", "shipped");
    }

    @Test
    void aKeyThatWouldBeAnotherWithEveryDeliveryIsRefused() throws Exception {
        long before = end("shipments");
        send("shipments", "by its bytes", null);
        send("shipments", "next", "next");
        awaitCommitted("keys", "shipments", before + 2);
        await().until(() -> !DEAD.isEmpty());

        assertThat(EFFECTS).containsExactly("next");
        assertThat(header(DEAD.get(0), "semel-reason")).isEqualTo("UNREADABLE");
        assertThat(header(DEAD.get(0), "semel-message")).contains("byte[]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rolled back once", "of another class"})
    void aTransactionThatIsRolledBackIsTriedAgainAndHasOneEffect(String value) throws Exception {
        long before = end("transactions");
        send("transactions", value, null);

        awaitCommitted("transactions", "transactions", before + 1);
        assertThat(DELIVERIES).containsEntry(value, 2);
        assertThat(application
                        .getBean(JdbcTemplate.class)
                        .queryForObject("SELECT count(*) FROM listened WHERE number = ?", Integer.class, value))
                .isOne();
        assertThat(DEAD).isEmpty();
    }

    @Test
    void aRecordThatIsRejectedAfterAStepIsDeadAndDoesNotRunAgain() throws Exception {
        long before = end("transactions");
        send("transactions", "rejected after a step", null);

        awaitCommitted("transactions", "transactions", before + 1);
        await().until(() -> !DEAD.isEmpty());
        assertThat(EFFECTS).containsExactly("charged");
        assertThat(DEAD).extracting(dead -> header(dead, "semel-message")).containsExactly("no such address");
    }

    @SuppressWarnings("unchecked")
    private static void send(String topic, String value, String key) throws Exception {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, "customer", value);
        if (key != null) {
            record.headers().add("Idempotency-Key", key.getBytes(StandardCharsets.UTF_8));
        }
        application.getBean(KafkaTemplate.class).send(record).get();
    }

    private static long end(String topic) throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    private static long committed(String group, String topic) throws Exception {
        OffsetAndMetadata offset = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(topic, 0));
        return offset == null ? 0 : offset.offset();
    }

    private static void awaitCommitted(String group, String topic, long offset) {
        await().atMost(Duration.ofSeconds(60)).until(() -> committed(group, topic) == offset);
    }

    private static void rewind(String group, String topic, long offset) throws Exception {
        MessageListenerContainer container =
                application.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer(group);
        container.stop();
        admin.alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(offset)))
                .all()
                .get();
        container.start();
    }

    private static String header(ConsumerRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
