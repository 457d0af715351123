package dev.semel.sqs;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.messaging.Backoff;
import dev.semel.policy.Policy;
import dev.semel.testservers.TestPostgres;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** A process with a consumer for each of two queues, until somebody kills it. */
final class ConsumerNode {

    private ConsumerNode() {}

    static Process start(int sqsPort, String queueUrl, String otherUrl, HikariDataSource pool) throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ConsumerNode.class.getName(),
                Integer.toString(sqsPort),
                pool.getJdbcUrl(),
                queueUrl,
                otherUrl);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] args) {
        SqsAsyncClient client = TestSqs.client(Integer.parseInt(args[0]));
        HikariDataSource pool = TestPostgres.pool(args[1], "postgres", 8);
        Semel semel = Semel.builder(JdbcKeyStore.builder(pool).build()).build();
        new Thread(consumer(semel, client, pool, args[2])).start();
        consumer(semel, client, pool, args[3]).run();
    }

    private static SqsConsumer consumer(Semel semel, SqsAsyncClient client, HikariDataSource pool, String queueUrl) {
        return SqsConsumer.builder(semel, client, queueUrl)
                .key(SqsKeyExtractor.attribute(SqsKeyExtractor.ATTRIBUTE))
                .policy(Policy.transactional("ship")
                        .lease(Duration.ofSeconds(2))
                        .build())
                .visibility(Duration.ofSeconds(2))
                .backoff(new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1)))
                .deadLetters(letter -> {
                    throw new IllegalStateException("nothing fails for good here: " + letter.text());
                })
                .handleIn(JdbcTransactions.of(pool), (message, attempt, connection) -> {
                    try (PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO ledger (queue, key, number) VALUES (?, ?, ?)")) {
                        insert.setString(1, queueUrl);
                        insert.setString(2, attempt.key().value());
                        insert.setInt(3, Integer.parseInt(message.body()));
                        insert.executeUpdate();
                    }
                });
    }
}
