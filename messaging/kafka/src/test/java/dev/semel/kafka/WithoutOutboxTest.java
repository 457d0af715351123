package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.MessageVerdict;
import dev.semel.testservers.HidingLoader;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** The outbox is an optional dependency: a consumer works without it. */
class WithoutOutboxTest {

    @Test
    void deadLettersAreSent() throws Exception {
        try (HidingLoader loader = new HidingLoader("dev.semel.outbox.")) {
            assertThat(loader.call(FailureWithoutBroker.class)).isEqualTo(TimeoutException.class.getName());
        }
    }

    /** Sends a dead letter to a broker that is not there, and returns which failure this is. */
    static final class FailureWithoutBroker implements Callable<String> {

        @Override
        public String call() {
            Map<String, Object> config = Map.of("bootstrap.servers", "127.0.0.1:1", "max.block.ms", 1);
            try (DeadLetterTopic dead = DeadLetterTopic.of(config, topic -> "dead")) {
                dead.send(DeadLetter.of(
                                new ConsumerRecord<>("topic", 0, 0, new byte[0], new byte[0]),
                                "ship",
                                Key.of("group", "a").digest(),
                                new MessageVerdict.Dead(MessageVerdict.Reason.FAILED, "type", "text")))
                        .toCompletableFuture()
                        .join();
                return "none";
            } catch (CompletionException e) {
                return e.getCause().getClass().getName();
            }
        }
    }
}
