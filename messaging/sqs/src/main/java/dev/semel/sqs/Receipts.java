package dev.semel.sqs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;

/**
 * The messages in our hands: keeps them invisible to others while they are handled, and deletes them afterwards, ten in one
 * request. What fails here is harmless: a message that comes again finds its key settled.
 */
final class Receipts {

    private static final Logger LOG = LoggerFactory.getLogger(Receipts.class);
    private static final int BATCH = 10;
    private static final int MAX_VISIBILITY_SECONDS = 12 * 60 * 60;

    /** How long a message that is done waits for others, with which it is deleted in one request. */
    private static final long LINGER_MILLIS = 20;

    private final SqsAsyncClient client;
    private final String queueUrl;
    private final Duration visibility;
    private final Map<String, ReceivedMessage> held = new ConcurrentHashMap<>();
    private final Queue<ReceivedMessage> done;
    private final AtomicBoolean deleting = new AtomicBoolean();

    /**
     * Makes receipts.
     *
     * @param done where messages wait for their deletion, which must be safe for many threads
     */
    Receipts(SqsAsyncClient client, String queueUrl, Duration visibility, Queue<ReceivedMessage> done) {
        this.client = client;
        this.queueUrl = queueUrl;
        this.visibility = visibility;
        this.done = done;
    }

    void hold(ReceivedMessage received) {
        held.put(received.message.receiptHandle(), received);
    }

    int held() {
        return held.size();
    }

    /** Keeps all messages in our hands invisible for another while. */
    void extend() {
        List<ReceivedMessage> all = new ArrayList<>(held.values());
        for (int from = 0; from < all.size(); from += BATCH) {
            change(all.subList(from, Math.min(from + BATCH, all.size())), visibility);
        }
    }

    /** Lets the message come again after a while. */
    CompletableFuture<?> leave(ReceivedMessage received, Duration delay) {
        held.remove(received.message.receiptHandle());
        return change(List.of(received), delay);
    }

    private CompletableFuture<?> change(List<ReceivedMessage> messages, Duration time) {
        int seconds = (int) Math.min(MAX_VISIBILITY_SECONDS, (time.toMillis() + 999) / 1000);
        List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>();
        for (ReceivedMessage received : messages) {
            entries.add(ChangeMessageVisibilityBatchRequestEntry.builder()
                    .id("m" + entries.size())
                    .receiptHandle(received.message.receiptHandle())
                    .visibilityTimeout(seconds)
                    .build());
        }
        return client.changeMessageVisibilityBatch(
                        request -> request.queueUrl(queueUrl).entries(entries))
                .handle((answer, failure) -> {
                    if (failure != null) {
                        LOG.info("the visibility of {} messages could not be changed", messages.size(), failure);
                    }
                    return null;
                });
    }

    /** Deletes the message, together with others that are done. */
    void delete(ReceivedMessage received) {
        done.add(received);
        deleteSoon();
    }

    /** The next message of a group comes only when the one before it is deleted. */
    private void deleteSoon() {
        if (done.size() >= BATCH || queueUrl.endsWith(".fifo")) {
            deleteNext();
        } else {
            CompletableFuture.delayedExecutor(LINGER_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(this::deleteNext);
        }
    }

    /** Deletes messages that are done without waiting for more, unless a request is under way, which others follow. */
    void deleteNext() {
        if (!deleting.compareAndSet(false, true)) {
            return;
        }
        List<ReceivedMessage> batch = new ArrayList<>();
        for (ReceivedMessage next = done.poll(); next != null; next = batch.size() < BATCH ? done.poll() : null) {
            batch.add(next);
        }
        if (batch.isEmpty()) {
            freeToDelete();
            return;
        }
        List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>();
        for (ReceivedMessage each : batch) {
            entries.add(DeleteMessageBatchRequestEntry.builder()
                    .id("m" + entries.size())
                    .receiptHandle(each.message.receiptHandle())
                    .build());
        }
        client.deleteMessageBatch(request -> request.queueUrl(queueUrl).entries(entries))
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        LOG.info("{} messages could not be deleted, and will come again", batch.size(), failure);
                    }
                    batch.forEach(each -> held.remove(each.message.receiptHandle()));
                    freeToDelete();
                });
    }

    /** What was added meanwhile has been left to us. */
    private void freeToDelete() {
        deleting.set(false);
        if (!done.isEmpty()) {
            deleteSoon();
        }
    }
}
