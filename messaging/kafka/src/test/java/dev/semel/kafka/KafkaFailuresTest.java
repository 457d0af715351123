package dev.semel.kafka;

import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.testkit.failures.ConsumerFailureContract;
import dev.semel.testkit.failures.FrontEnd;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What each failure means to the key of a record. */
class KafkaFailuresTest extends ConsumerFailureContract {

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.KAFKA;
    }

    @Override
    protected Consumer consumer(Semel semel, Policy policy, Executor executor, Handler handler) throws Exception {
        Group group = new Group(InMemoryKeyStore.create(), 1);
        StringDeserializer picky = new StringDeserializer() {
            @Override
            public String deserialize(String topic, byte[] data) {
                String text = super.deserialize(topic, data);
                if (text.equals(unreadable())) {
                    throw new IllegalArgumentException("garbage");
                }
                return text;
            }
        };
        IdempotentConsumer.Builder<String, String> builder = group.member(semel, policy, Map.of(), picky)
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .drain(Duration.ofSeconds(60));
        if (executor != null) {
            builder.executor(executor);
        }
        IdempotentConsumer<String, String> consumer = builder.handle((record, attempt) -> handler.handle(attempt));
        return new Consumer() {

            private CompletableFuture<Void> running = new CompletableFuture<>();

            @Override
            public void send(String key, String content) throws Exception {
                group.send(0, null, content, Map.of(KeyExtractor.HEADER, key)).get();
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
                return Key.of(group.name, key);
            }

            @Override
            public int dead() {
                return group.dead.size();
            }

            @Override
            public void close() throws Exception {
                consumer.close();
                group.close();
            }
        };
    }
}
