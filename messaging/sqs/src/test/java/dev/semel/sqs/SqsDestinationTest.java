package dev.semel.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.outbox.Delivery;
import dev.semel.outbox.OutboxMessage;
import dev.semel.outbox.UndeliverableException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** What an SQS destination sends. */
class SqsDestinationTest {

    private static final OutboxMessage MESSAGE = OutboxMessage.of("sqs", "body")
            .withAggregate("order-7")
            .withKey("k-1")
            .withHeader("trace", "t1");

    private static List<Message> receive(String queue) {
        return TestSqs.client()
                .receiveMessage(request -> request.queueUrl(queue)
                        .maxNumberOfMessages(10)
                        .waitTimeSeconds(1)
                        .messageAttributeNames("All")
                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
                .join()
                .messages();
    }

    @Test
    void sendsTheKeyAsAttributeAndDeduplicationId() {
        String queue = TestSqs.newFifoQueue();
        SqsDestination destination = SqsDestination.of(TestSqs.client(), queue);

        for (int attempt = 1; attempt <= 2; attempt++) {
            destination
                    .deliver(Delivery.of(1, MESSAGE, attempt, Duration.ZERO))
                    .toCompletableFuture()
                    .join();
        }

        List<Message> received = receive(queue);
        assertThat(received).hasSize(1);
        Message message = received.get(0);
        assertThat(message.body()).isEqualTo("body");
        assertThat(SqsKeyExtractor.attribute(SqsKeyExtractor.ATTRIBUTE).keyOf(message))
                .contains("k-1");
        assertThat(SqsKeyExtractor.deduplicationId().keyOf(message)).contains("k-1");
        assertThat(message.attributes()).containsEntry(MessageSystemAttributeName.MESSAGE_GROUP_ID, "order-7");
        assertThat(message.messageAttributes().get("trace").stringValue()).isEqualTo("t1");
    }

    @Test
    void givesUpWhatIsNotText() {
        SqsDestination destination = SqsDestination.of(TestSqs.client(), TestSqs.newQueue());
        OutboxMessage bytes = OutboxMessage.of("sqs", new byte[] {(byte) 0xff});

        assertThatThrownBy(() -> destination.deliver(Delivery.of(1, bytes, 1, Duration.ZERO)))
                .isInstanceOf(UndeliverableException.class)
                .hasMessageContaining("UTF-8");
    }
}
