package dev.semel.bench.messaging;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.server.PostgresServer;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.kafka.IdempotentConsumer;
import dev.semel.kafka.KeyExtractor;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.testservers.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic of four partitions that is consumed from its beginning: by four plain consumers, and by one with Semel. */
record KafkaBench(PostgresServer postgres, HikariDataSource pool, KafkaBroker kafka, int first, int records) {

    private static final int PARTITIONS = 4;
    private static final String TOPIC = "orders";
    private static final String PLAIN = "kafka, plain, 4 consumers";
    private static final String AHEAD = "kafka, keys claimed ahead";
    private static final String TRANSACTIONAL = "kafka, transactional";

    static void run(PostgresServer postgres, MessagingCommand.Effort effort, Report report) throws Exception {
        postgres.execute("CREATE TABLE IF NOT EXISTS effect (key text)");
        try (HikariDataSource pool = postgres.pool(PARTITIONS + 6);
                KafkaBroker kafka = KafkaBroker.start()) {
            KafkaBench bench = new KafkaBench(postgres, pool, kafka, effort.first(), effort.kafkaRecords());
            bench.fill();
            Rounds rounds = MessagingCommand.compare(
                    effort,
                    report,
                    List.of(PLAIN, AHEAD, TRANSACTIONAL),
                    (what, warmUp) -> what.equals(PLAIN) ? bench.plain() : bench.semel(what.equals(TRANSACTIONAL)));
            report.number("kafka.throughput.ratio", rounds.throughput(AHEAD, PLAIN));
            report.number("kafka.throughput.ratio.transactional", rounds.throughput(TRANSACTIONAL, PLAIN));
        }
    }

    private void fill() throws Exception {
        kafka.createTopic(TOPIC, PARTITIONS);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(kafka.config(), new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < first + records; i++) {
                String key = Payload.newKey();
                ProducerRecord<String, String> record =
                        new ProducerRecord<>(TOPIC, i % PARTITIONS, key, Payload.of(key));
                record.headers().add(KeyExtractor.HEADER, key.getBytes(StandardCharsets.UTF_8));
                producer.send(record);
            }
        }
    }

    /** A new group, which begins at the beginning. */
    private Map<String, Object> config() {
        Map<String, Object> config = new HashMap<>(kafka.config());
        config.put("group.id", UUID.randomUUID().toString());
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", "false");
        return config;
    }

    private double plain() throws Exception {
        postgres.execute("TRUNCATE effect", "CHECKPOINT");
        AtomicBoolean enough = new AtomicBoolean();
        Map<String, Object> config = config();
        List<CompletableFuture<Void>> consumers = new ArrayList<>();
        MessageEffects effects = new MessageEffects(pool);
        for (int i = 0; i < PARTITIONS; i++) {
            CompletableFuture<Void> ended = new CompletableFuture<>();
            Thread thread = new Thread(() -> consume(config, effects, enough, ended), "plain");
            thread.setDaemon(true);
            thread.start();
            consumers.add(ended);
        }
        double perSecond = effects.awaitAll(first, first + records);
        enough.set(true);
        CompletableFuture.allOf(consumers.toArray(CompletableFuture[]::new)).get();
        return perSecond;
    }

    private void consume(
            Map<String, Object> config, MessageEffects effects, AtomicBoolean enough, CompletableFuture<Void> ended) {
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            while (!enough.get()) {
                ConsumerRecords<String, String> polled = consumer.poll(Duration.ofMillis(100));
                for (ConsumerRecord<String, String> record : polled) {
                    effects.add(record.key());
                }
                if (!polled.isEmpty()) {
                    consumer.commitSync();
                }
            }
            ended.complete(null);
        } catch (SQLException | RuntimeException e) {
            ended.completeExceptionally(e);
        }
    }

    private double semel(boolean transactional) throws Exception {
        postgres.execute("TRUNCATE effect");
        MessageEffects effects = new MessageEffects(pool);
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool).createIfMissing().build();
                Semel semel = Semel.builder(store).build()) {
            postgres.execute("TRUNCATE semel_key", "CHECKPOINT");
            IdempotentConsumer.Builder<String, String> builder = IdempotentConsumer.builder(
                            semel, config(), new StringDeserializer(), new StringDeserializer())
                    .topics(TOPIC)
                    .key(KeyExtractor.header(KeyExtractor.HEADER))
                    .deadLetters(letter -> {
                        throw new IllegalStateException("a message failed: " + letter.message());
                    });
            try (IdempotentConsumer<String, String> consumer = transactional
                    ? builder.policy(Policy.transactional("ship").build())
                            .handleIn(
                                    JdbcTransactions.of(pool),
                                    (record, attempt, connection) -> effects.add(connection, record.key()))
                    : builder.policy(Policy.external("ship")
                                    .recovery(Recovery.RE_EXECUTE)
                                    .build())
                            .handle((record, attempt) -> effects.add(record.key()))) {
                Thread thread = new Thread(consumer, "semel");
                thread.setDaemon(true);
                thread.start();
                return effects.awaitAll(first, first + records);
            }
        }
    }
}
