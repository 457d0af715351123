package dev.semel.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/** Several requests for messages at once: what one of them brings does not wait for one that waits for messages to come. */
class OverlappingRequestsTest {

    private final String queue = TestSqs.newQueue();
    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();
    private final AtomicInteger mostWaiting = new AtomicInteger();

    @Test
    void atMostOneRequestWaitsForMessagesToCome() {
        int messages = 100;
        for (int i = 0; i < messages; i++) {
            String body = "m" + i;
            TestSqs.client()
                    .sendMessage(request -> request.queueUrl(queue).messageBody(body))
                    .join();
        }
        try (Semel semel = Semel.builder(InMemoryKeyStore.create()).build();
                SqsConsumer consumer = SqsConsumer.builder(semel, watchedClient(), queue)
                        .policy(Policy.external("ship").build())
                        .wait(Duration.ofSeconds(1))
                        .deadLetters(letter -> CompletableFuture.completedStage(null))
                        .key(SqsKeyExtractor.messageId())
                        .handle((message, attempt) -> handled.incrementAndGet())) {
            Thread thread = new Thread(consumer, "consumer");
            thread.setDaemon(true);
            thread.start();

            await().atMost(Duration.ofSeconds(60)).until(() -> handled.get() == messages);
        }

        assertThat(mostUnderWay.get()).isGreaterThan(1);
        assertThat(mostWaiting.get()).isEqualTo(1);
    }

    /** The real client, which counts the requests for messages that are under way. */
    private SqsAsyncClient watchedClient() {
        return (SqsAsyncClient) Proxy.newProxyInstance(
                SqsAsyncClient.class.getClassLoader(),
                new Class<?>[] {SqsAsyncClient.class},
                (proxy, method, arguments) -> method.getName().equals("receiveMessage")
                        ? receive((Consumer<?>) arguments[0])
                        : method.invoke(TestSqs.client(), arguments));
    }

    @SuppressWarnings("unchecked")
    private CompletableFuture<ReceiveMessageResponse> receive(Consumer<?> settings) {
        ReceiveMessageRequest request = ReceiveMessageRequest.builder()
                .applyMutation((Consumer<ReceiveMessageRequest.Builder>) settings)
                .build();
        int patient = request.waitTimeSeconds() > 0 ? 1 : 0;
        mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        mostWaiting.accumulateAndGet(waiting.addAndGet(patient), Math::max);
        return TestSqs.client().receiveMessage(request).whenComplete((response, failure) -> {
            underWay.decrementAndGet();
            waiting.addAndGet(-patient);
        });
    }
}
