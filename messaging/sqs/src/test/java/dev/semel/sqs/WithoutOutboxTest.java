package dev.semel.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.MessageVerdict;
import dev.semel.testservers.HidingLoader;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** The outbox is an optional dependency: a consumer works without it. */
class WithoutOutboxTest {

    @Test
    void deadLettersAreSent() throws Exception {
        try (HidingLoader loader = new HidingLoader("dev.semel.outbox.")) {
            assertThat(loader.call(SentReason.class)).isEqualTo("FAILED");
        }
    }

    /** Sends a dead letter, and returns the reason in the message that is sent. */
    static final class SentReason implements Callable<String> {

        @Override
        public String call() {
            CompletableFuture<SendMessageRequest> sent = new CompletableFuture<>();
            SqsAsyncClient client = (SqsAsyncClient) Proxy.newProxyInstance(
                    SqsAsyncClient.class.getClassLoader(),
                    new Class<?>[] {SqsAsyncClient.class},
                    (proxy, method, arguments) -> {
                        sent.complete((SendMessageRequest) arguments[0]);
                        return CompletableFuture.completedFuture(null);
                    });

            DeadLetterQueue.of(client, "http://127.0.0.1/dead")
                    .send(DeadLetter.of(
                            Message.builder().body("body").build(),
                            "ship",
                            Key.of("queue", "a").digest(),
                            new MessageVerdict.Dead(MessageVerdict.Reason.FAILED, "type", "text")));

            return sent.join().messageAttributes().get("semel-reason").stringValue();
        }
    }
}
