package dev.semel.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;

/** Messages that are done at the same moment. With a real queue the moment cannot be hit. */
class ReceiptsTest {

    private final ReceivedMessage first = received("first");
    private final ReceivedMessage second = received("second");
    private final ReceivedMessage third = received("third");
    private Receipts receipts;

    /** A queue to which another thread adds a message at the worst moment: when it was just found empty. */
    private final class BusyQueue extends ConcurrentLinkedQueue<ReceivedMessage> {

        private static final long serialVersionUID = 1;
        private boolean foundEmpty;

        @Override
        public ReceivedMessage poll() {
            ReceivedMessage next = super.poll();
            if (next == null && !foundEmpty) {
                foundEmpty = true;
                receipts.delete(third);
            }
            return next;
        }
    }

    @Test
    void aMessageThatIsDoneDuringADeletionIsDeletedAfterIt() {
        receipts = new Receipts(answeringAtOnce(), "queue.fifo", Duration.ofSeconds(30), new BusyQueue());
        receipts.hold(first);
        receipts.hold(second);
        receipts.hold(third);

        receipts.delete(first);
        receipts.delete(second);

        assertThat(receipts.held()).isZero();
    }

    @Test
    void aMessageThatIsDoneWhenTheQueueWasFoundEmptyIsDeleted() {
        receipts = new Receipts(answeringAtOnce(), "queue.fifo", Duration.ofSeconds(30), new BusyQueue());
        receipts.hold(third);

        receipts.deleteNext();

        assertThat(receipts.held()).isZero();
    }

    @Test
    void messagesThatAreDoneAreDeletedTenAtATime() {
        receipts = new Receipts(answeringAtOnce(), "queue", Duration.ofSeconds(30), new ConcurrentLinkedQueue<>());
        List<ReceivedMessage> messages =
                IntStream.range(0, 10).mapToObj(i -> received("m" + i)).toList();
        messages.forEach(receipts::hold);

        messages.forEach(receipts::delete);

        assertThat(receipts.held()).isZero();
    }

    @Test
    void aMessageOfAFifoQueueIsDeletedAtOnce() {
        receipts = new Receipts(answeringAtOnce(), "queue.fifo", Duration.ofSeconds(30), new ConcurrentLinkedQueue<>());
        receipts.hold(first);

        receipts.delete(first);

        assertThat(receipts.held()).isZero();
    }

    private static ReceivedMessage received(String name) {
        return new ReceivedMessage(
                Message.builder().messageId(name).receiptHandle(name).body(name).build(), Key.of("queue", name), null);
    }

    private static SqsAsyncClient answeringAtOnce() {
        CompletableFuture<DeleteMessageBatchResponse> answer = CompletableFuture.completedFuture(
                DeleteMessageBatchResponse.builder().build());
        return (SqsAsyncClient) Proxy.newProxyInstance(
                SqsAsyncClient.class.getClassLoader(),
                new Class<?>[] {SqsAsyncClient.class},
                (proxy, method, arguments) -> answer);
    }
}
