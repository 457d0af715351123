package dev.semel.kafka;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.testservers.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A process with one consumer, until somebody kills it. */
final class ConsumerNode {

    /** As short as it may be, so that the next owner need not wait long for a lease of a process that was killed. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private ConsumerNode() {}

    static Process start(String mode, Group group, HikariDataSource pool) throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ConsumerNode.class.getName(),
                mode,
                TestKafka.shared().bootstrap(),
                group.topic,
                group.name,
                pool.getJdbcUrl());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] args) {
        HikariDataSource pool = TestPostgres.pool(args[4], "postgres", 8);
        JdbcKeyStore store = JdbcKeyStore.builder(pool).build();
        Semel semel = Semel.builder(store).build();
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                args[1],
                "group.id",
                args[3],
                "auto.offset.reset",
                "earliest",
                "session.timeout.ms",
                "1500",
                "heartbeat.interval.ms",
                "300");
        IdempotentConsumer.Builder<String, String> builder = IdempotentConsumer.builder(
                        semel, config, new StringDeserializer(), new StringDeserializer())
                .topics(args[2])
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .backoff(Group.BACKOFF)
                .deadLetters(DeadLetterTopic.of(Map.of("bootstrap.servers", args[1]), topic -> topic + ".dead"));
        switch (args[0]) {
            case "transactional" ->
                builder.policy(Policy.transactional("ship").lease(LEASE).build())
                        .handleIn(
                                JdbcTransactions.of(pool),
                                (record, attempt, connection) ->
                                        Ledger.add(connection, attempt.key().value(), record))
                        .run();
            case "hang-in-transaction" ->
                builder.policy(Policy.transactional("ship").lease(LEASE).build())
                        .handleIn(JdbcTransactions.of(pool), (record, attempt, connection) -> {
                            Ledger.add(connection, attempt.key().value(), record);
                            if (record.value().equals("hang")) {
                                System.out.println("effect");
                                new CountDownLatch(1).await();
                            }
                        })
                        .run();
            case "child-keys" ->
                builder.policy(Policy.external("ship")
                                .recovery(Recovery.RE_EXECUTE)
                                .lease(LEASE)
                                .build())
                        .handle((record, attempt) -> {
                            effectDownstream(pool, attempt.childKey("ship"), record);
                        })
                        .run();
            case "hang-after-effect" ->
                builder.policy(Policy.external("ship").lease(LEASE).build())
                        .handle((record, attempt) -> {
                            try (Connection connection = pool.getConnection()) {
                                Ledger.add(connection, attempt.key().value(), record);
                            }
                            System.out.println("effect");
                            new CountDownLatch(1).await();
                        })
                        .run();
            default -> throw new IllegalArgumentException("there is no mode " + args[0]);
        }
    }

    /** A system that knows keys itself: the second call with a key has no effect. */
    private static void effectDownstream(HikariDataSource pool, String key, ConsumerRecord<?, ?> record)
            throws Exception {
        JdbcTransactions.of(pool).inTransaction(connection -> {
            try (var lock = connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtext(?))");
                    var known = connection.prepareStatement("SELECT 1 FROM ledger WHERE key = ?")) {
                lock.setString(1, key);
                lock.execute();
                known.setString(1, key);
                if (!known.executeQuery().next()) {
                    Ledger.add(connection, key, record);
                }
            }
            return null;
        });
    }
}
