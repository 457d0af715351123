package dev.semel.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Backoff;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A process with one relay that delivers into a table, until somebody kills it. */
final class RelayNode {

    private RelayNode() {}

    static Process start(HikariDataSource pool) throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                RelayNode.class.getName(),
                pool.getJdbcUrl());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] args) throws Exception {
        HikariDataSource pool = TestPostgres.pool(args[0], "postgres", 8);
        Outbox.builder(pool)
                .build()
                .relay()
                .batch(20)
                .backoff(new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)))
                .destination(
                        "shop",
                        delivery -> CompletableFuture.completedFuture(null).thenRun(() -> receive(pool, delivery)))
                .start();
        new CountDownLatch(1).await();
    }

    /** The receiver knows keys: what it has seen before has no effect. */
    private static void receive(HikariDataSource pool, Delivery delivery) {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO received (key, aggregate, number) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")) {
            insert.setString(1, delivery.key());
            insert.setString(2, delivery.message().aggregate());
            insert.setInt(3, Integer.parseInt(new String(delivery.message().payload(), StandardCharsets.UTF_8)));
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
