package dev.semel.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.semel.Key;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes persistent messages with a message id, and says of each whether the broker has taken it and had a queue for it.
 *
 * <p>It has a channel of its own, and may be used by any number of threads.
 */
public final class ConfirmingPublisher implements AutoCloseable {

    private static final int PERSISTENT = 2;

    private final Channel channel;
    private final ConcurrentNavigableMap<Long, Sent> unconfirmed = new ConcurrentSkipListMap<>();
    private final Map<String, Sent> byId = new ConcurrentHashMap<>();

    private record Sent(String id, CompletableFuture<Void> confirmed) {}

    private ConfirmingPublisher(Channel channel) {
        this.channel = channel;
    }

    public static ConfirmingPublisher open(Connection connection) throws IOException {
        Channel channel = connection.createChannel();
        ConfirmingPublisher publisher = new ConfirmingPublisher(channel);
        channel.confirmSelect();
        channel.addConfirmListener(
                (tag, multiple) -> publisher.settle(tag, multiple, null),
                (tag, multiple) ->
                        publisher.settle(tag, multiple, new IOException("the broker could not take the message")));
        // A message without a queue is returned before it is confirmed.
        channel.addReturnListener(returned -> publisher.returned(
                returned.getProperties().getMessageId(),
                new UnroutableException("no queue for exchange \"" + returned.getExchange() + "\" and routing key \""
                        + returned.getRoutingKey() + "\": " + returned.getReplyText())));
        channel.addShutdownListener(cause -> publisher.failAll(cause));
        return publisher;
    }

    /**
     * Publishes a message, with a new random id if it has none. The stage fails if the broker refuses the message, has no
     * queue for it, or is lost; in the last case nobody knows whether it arrived: publish it again with the same id.
     */
    public CompletionStage<Void> publish(String exchange, String routingKey, BasicProperties properties, byte[] body) {
        String id = properties.getMessageId() == null ? Key.randomValue() : properties.getMessageId();
        BasicProperties complete =
                properties.builder().messageId(id).deliveryMode(PERSISTENT).build();
        Sent sent = new Sent(id, new CompletableFuture<>());
        // Numbers and messages must be in the same order.
        synchronized (channel) {
            long number = channel.getNextPublishSeqNo();
            unconfirmed.put(number, sent);
            byId.put(id, sent);
            try {
                channel.basicPublish(exchange, routingKey, true, complete, body);
            } catch (IOException | RuntimeException e) {
                unconfirmed.remove(number);
                finish(sent, e);
            }
        }
        return sent.confirmed();
    }

    private void settle(long tag, boolean multiple, @Nullable Throwable failure) {
        if (!multiple) {
            Sent sent = unconfirmed.remove(tag);
            if (sent != null) {
                finish(sent, failure);
            }
            return;
        }
        Map<Long, Sent> all = unconfirmed.headMap(tag, true);
        List<Sent> settled = new ArrayList<>(all.values());
        all.clear();
        settled.forEach(sent -> finish(sent, failure));
    }

    private void returned(String id, Throwable failure) {
        Sent sent = byId.get(id);
        if (sent != null) {
            finish(sent, failure);
        }
    }

    private void failAll(Throwable cause) {
        List<Sent> lost = new ArrayList<>(unconfirmed.values());
        unconfirmed.clear();
        lost.forEach(sent -> finish(sent, cause));
    }

    private void finish(Sent sent, @Nullable Throwable failure) {
        byId.remove(sent.id(), sent);
        if (failure == null) {
            sent.confirmed().complete(null);
        } else {
            sent.confirmed().completeExceptionally(failure);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            if (channel.isOpen()) {
                channel.close();
            }
        } catch (TimeoutException e) {
            throw new IOException("the channel could not be closed in time", e);
        }
    }
}
