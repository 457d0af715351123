package dev.semel.rabbitmq;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.messaging.Backoff;
import dev.semel.policy.Policy;
import dev.semel.testservers.TestBroker;
import dev.semel.testservers.TestPostgres;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process with one consumer, until somebody kills it. */
final class ConsumerNode {

    private ConsumerNode() {}

    static Process start(int port, String queue, HikariDataSource pool) throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ConsumerNode.class.getName(),
                Integer.toString(port),
                queue,
                pool.getJdbcUrl());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] args) throws Exception {
        HikariDataSource pool = TestPostgres.pool(args[2], "postgres", 8);
        Semel semel = Semel.builder(JdbcKeyStore.builder(pool).build()).build();
        RabbitConsumer.builder(semel, TestBroker.connect(Integer.parseInt(args[0])), args[1])
                .policy(Policy.transactional("ship")
                        .lease(Duration.ofSeconds(2))
                        .build())
                .backoff(new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1)))
                .deadLetters(letter -> {
                    throw new IllegalStateException("nothing fails for good here: " + letter.text());
                })
                .handleIn(JdbcTransactions.of(pool), (message, attempt, connection) -> {
                    try (PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO ledger (key) VALUES (?)")) {
                        insert.setString(1, attempt.key().value());
                        insert.executeUpdate();
                    }
                });
        new CountDownLatch(1).await();
    }
}
