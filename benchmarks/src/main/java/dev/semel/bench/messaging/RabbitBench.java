package dev.semel.bench.messaging;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.server.PostgresServer;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Policy;
import dev.semel.rabbitmq.ConfirmingPublisher;
import dev.semel.rabbitmq.RabbitConsumer;
import dev.semel.testservers.TestBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A full queue of AMQP 0-9-1 that is emptied: by plain consumers, and by one with Semel on as many threads. */
record RabbitBench(PostgresServer postgres, HikariDataSource pool, Connection connection, int first, int messages) {

    private static final int THREADS = 4;
    private static final int PREFETCH = 25;
    private static final String PLAIN = "rabbitmq, plain, 4 consumers";
    private static final String SEMEL = "rabbitmq, semel";

    static void run(PostgresServer postgres, MessagingCommand.Effort effort, Report report) throws Exception {
        Connection connection;
        try {
            connection = TestBroker.connect();
        } catch (Exception | LinkageError e) {
            report.text("RabbitMQ is skipped: the broker cannot be started here (" + e + ")");
            return;
        }
        postgres.execute("CREATE TABLE IF NOT EXISTS effect (key text)");
        try (connection;
                HikariDataSource pool = postgres.pool(THREADS + 6)) {
            RabbitBench bench = new RabbitBench(postgres, pool, connection, effort.first(), effort.rabbitMessages());
            Rounds rounds = MessagingCommand.compare(effort, report, List.of(PLAIN, SEMEL), (what, warmUp) -> {
                String queue = bench.fill();
                return what.equals(PLAIN) ? bench.plain(queue) : bench.semel(queue);
            });
            report.number("rabbitmq.throughput.ratio", rounds.throughput(SEMEL, PLAIN));
        }
    }

    private String fill() throws Exception {
        String queue = TestBroker.newQueue(connection);
        try (ConfirmingPublisher publisher = ConfirmingPublisher.open(connection)) {
            List<CompletionStage<Void>> sent = new ArrayList<>();
            for (int i = 0; i < first + messages; i++) {
                String key = Payload.newKey();
                BasicProperties properties =
                        new BasicProperties.Builder().messageId(key).build();
                sent.add(
                        publisher.publish("", queue, properties, Payload.of(key).getBytes(StandardCharsets.UTF_8)));
            }
            for (CompletionStage<Void> each : sent) {
                each.toCompletableFuture().join();
            }
        }
        postgres.execute("TRUNCATE effect", "CHECKPOINT");
        return queue;
    }

    private double plain(String queue) throws Exception {
        MessageEffects effects = new MessageEffects(pool);
        List<Channel> channels = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Channel channel = connection.createChannel();
            channels.add(channel);
            channel.basicQos(PREFETCH);
            channel.basicConsume(queue, false, (tag, message) -> consume(channel, message, effects), tag -> {});
        }
        double perSecond = effects.awaitAll(first, first + messages);
        for (Channel channel : channels) {
            channel.close();
        }
        return perSecond;
    }

    private static void consume(Channel channel, Delivery message, MessageEffects effects) throws IOException {
        try {
            effects.add(message.getProperties().getMessageId());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        channel.basicAck(message.getEnvelope().getDeliveryTag(), false);
    }

    private double semel(String queue) throws Exception {
        MessageEffects effects = new MessageEffects(pool);
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool).createIfMissing().build();
                Semel semel = Semel.builder(store).build()) {
            postgres.execute("TRUNCATE semel_key", "CHECKPOINT");
            try (RabbitConsumer consumer = RabbitConsumer.builder(semel, connection, queue)
                    .policy(Policy.external("ship").build())
                    .executor(executor)
                    .inFlight(THREADS * PREFETCH)
                    .deadLetters(letter -> {
                        throw new IllegalStateException("a message failed: " + letter.text());
                    })
                    .handle((message, attempt) ->
                            effects.add(message.getProperties().getMessageId()))) {
                return effects.awaitAll(first, first + messages);
            }
        } finally {
            executor.shutdown();
        }
    }
}
