package dev.semel.sqs;

import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.DeadLetter;
import dev.semel.policy.Policy;
import dev.semel.testkit.failures.ConsumerFailureContract;
import dev.semel.testkit.failures.FrontEnd;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** What each failure means to the key of a message. */
class SqsFailuresTest extends ConsumerFailureContract {

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.SQS;
    }

    @Override
    protected Consumer consumer(Semel semel, Policy policy, Executor executor, Handler handler) {
        String queue = TestSqs.newQueue();
        List<DeadLetter<Message>> dead = new CopyOnWriteArrayList<>();
        SqsConsumer.Builder builder = SqsConsumer.builder(semel, TestSqs.client(), queue)
                .key(message -> {
                    if (message.body().equals(unreadable())) {
                        throw new IllegalArgumentException("garbage");
                    }
                    return SqsKeyExtractor.attribute(SqsKeyExtractor.ATTRIBUTE).keyOf(message);
                })
                .policy(policy)
                .backoff(new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)))
                .wait(Duration.ofSeconds(1))
                .drain(Duration.ofSeconds(60))
                .deadLetters(letter -> {
                    dead.add(letter);
                    return CompletableFuture.completedStage(null);
                });
        if (executor != null) {
            builder.executor(executor);
        }
        SqsConsumer consumer = builder.handle((message, attempt) -> handler.handle(attempt));
        return new Consumer() {

            private CompletableFuture<Void> running = new CompletableFuture<>();

            @Override
            public void send(String key, String content) {
                MessageAttributeValue value = MessageAttributeValue.builder()
                        .dataType("String")
                        .stringValue(key)
                        .build();
                TestSqs.client()
                        .sendMessage(request -> request.queueUrl(queue)
                                .messageBody(content)
                                .messageAttributes(Map.of(SqsKeyExtractor.ATTRIBUTE, value)))
                        .join();
            }

            @Override
            public void start() {
                running = CompletableFuture.runAsync(consumer, Executors.newSingleThreadExecutor());
            }

            @Override
            public boolean hasEnded() {
                return running.isCompletedExceptionally();
            }

            @Override
            public Key keyOf(String key) {
                return Key.of(queue.substring(queue.lastIndexOf('/') + 1), key);
            }

            @Override
            public int dead() {
                return dead.size();
            }

            @Override
            public void close() {
                consumer.close();
            }
        };
    }
}
