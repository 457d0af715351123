package dev.semel.bench.messaging;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.server.PostgresServer;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Policy;
import dev.semel.sqs.SqsConsumer;
import java.net.URI;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** A full queue that is emptied: by plain receivers, and by a consumer with Semel on as many threads. */
record SqsBench(PostgresServer postgres, HikariDataSource pool, SqsAsyncClient client, int first, int messages) {

    private static final int THREADS = 4;
    private static final int BATCH = 10;
    private static final String PLAIN = "sqs, plain, 4 receivers";
    private static final String SEMEL = "sqs, semel";

    static void run(PostgresServer postgres, MessagingCommand.Effort effort, Report report) throws Exception {
        postgres.execute("CREATE TABLE IF NOT EXISTS effect (key text)");
        SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .start();
        int port = server.waitUntilStarted().localAddress().getPort();
        try (HikariDataSource pool = postgres.pool(THREADS + 6);
                SqsAsyncClient client = SqsAsyncClient.builder()
                        .endpointOverride(URI.create("http://127.0.0.1:" + port))
                        .region(Region.EU_CENTRAL_1)
                        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
                        .build()) {
            SqsBench bench = new SqsBench(postgres, pool, client, effort.first(), effort.sqsMessages());
            Rounds rounds = MessagingCommand.compare(effort, report, List.of(PLAIN, SEMEL), (what, warmUp) -> {
                String queue = bench.fill();
                return what.equals(PLAIN) ? bench.plain(queue) : bench.semel(queue);
            });
            report.number("sqs.throughput.ratio", rounds.throughput(SEMEL, PLAIN));
        } finally {
            server.stopAndWait();
        }
    }

    private String fill() {
        String queue = client.createQueue(request -> request.queueName("orders-" + UUID.randomUUID()))
                .join()
                .queueUrl();
        for (int sent = 0; sent < first + messages; sent += BATCH) {
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
            for (int i = 0; i < BATCH; i++) {
                entries.add(SendMessageBatchRequestEntry.builder()
                        .id("m" + i)
                        .messageBody(Payload.of(Payload.newKey()))
                        .build());
            }
            client.sendMessageBatch(request -> request.queueUrl(queue).entries(entries))
                    .join();
        }
        postgres.execute("TRUNCATE effect", "CHECKPOINT");
        return queue;
    }

    private double plain(String queue) throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        List<CompletableFuture<Void>> receivers = new ArrayList<>();
        MessageEffects effects = new MessageEffects(pool);
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        for (int i = 0; i < THREADS; i++) {
            receivers.add(CompletableFuture.runAsync(() -> receive(queue, effects, enough), executor));
        }
        double perSecond = effects.awaitAll(first, first + messages);
        enough.set(true);
        CompletableFuture.allOf(receivers.toArray(CompletableFuture[]::new)).get();
        executor.shutdown();
        return perSecond;
    }

    private void receive(String queue, MessageEffects effects, AtomicBoolean enough) {
        while (!enough.get()) {
            List<Message> received = client.receiveMessage(
                            request -> request.queueUrl(queue).maxNumberOfMessages(BATCH))
                    .join()
                    .messages();
            List<DeleteMessageBatchRequestEntry> done = new ArrayList<>();
            for (Message message : received) {
                try {
                    effects.add(message.messageId());
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
                done.add(DeleteMessageBatchRequestEntry.builder()
                        .id("m" + done.size())
                        .receiptHandle(message.receiptHandle())
                        .build());
            }
            if (!done.isEmpty()) {
                client.deleteMessageBatch(request -> request.queueUrl(queue).entries(done))
                        .join();
            }
        }
    }

    private double semel(String queue) throws Exception {
        MessageEffects effects = new MessageEffects(pool);
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool).createIfMissing().build();
                Semel semel = Semel.builder(store).build()) {
            postgres.execute("TRUNCATE semel_key", "CHECKPOINT");
            try (SqsConsumer consumer = SqsConsumer.builder(semel, client, queue)
                    .policy(Policy.external("ship").build())
                    .executor(executor)
                    .deadLetters(letter -> {
                        throw new IllegalStateException("a message failed: " + letter.text());
                    })
                    .handle((message, attempt) -> effects.add(message.messageId()))) {
                Thread thread = new Thread(consumer, "semel");
                thread.setDaemon(true);
                thread.start();
                return effects.awaitAll(first, first + messages);
            }
        } finally {
            executor.shutdown();
        }
    }
}
