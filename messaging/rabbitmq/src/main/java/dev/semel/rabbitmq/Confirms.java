package dev.semel.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The messages that were published on one channel and wait for the broker's confirmation. */
final class Confirms {

    /** Names a publish, since a message that is returned does not say which one it belongs to, and ids may be the same. */
    static final String NUMBER_HEADER = "semel-publish";

    private final Channel channel;
    private final ConcurrentNavigableMap<Long, CompletableFuture<Void>> unconfirmed = new ConcurrentSkipListMap<>();

    private Confirms(Channel channel) {
        this.channel = channel;
    }

    static Confirms on(Channel channel) throws IOException {
        Confirms confirms = new Confirms(channel);
        channel.confirmSelect();
        channel.addConfirmListener(
                (tag, multiple) -> confirms.settle(tag, multiple, null),
                (tag, multiple) ->
                        confirms.settle(tag, multiple, new IOException("the broker could not take the message")));
        // A message without a queue is returned before it is confirmed.
        channel.addReturnListener(confirms::returned);
        channel.addShutdownListener(confirms::failAll);
        return confirms;
    }

    CompletionStage<Void> publish(String exchange, String routingKey, BasicProperties properties, byte[] body) {
        CompletableFuture<Void> confirmed = new CompletableFuture<>();
        Map<String, Object> headers = new HashMap<>();
        if (properties.getHeaders() != null) {
            headers.putAll(properties.getHeaders());
        }
        // Numbers and messages must be in the same order.
        synchronized (channel) {
            long number = channel.getNextPublishSeqNo();
            headers.put(NUMBER_HEADER, number);
            unconfirmed.put(number, confirmed);
            try {
                BasicProperties numbered = properties.builder().headers(headers).build();
                channel.basicPublish(exchange, routingKey, true, numbered, body);
            } catch (IOException | RuntimeException e) {
                unconfirmed.remove(number);
                confirmed.completeExceptionally(e);
            }
        }
        return confirmed;
    }

    private void settle(long tag, boolean multiple, @Nullable Throwable failure) {
        Map<Long, CompletableFuture<Void>> all =
                multiple ? unconfirmed.headMap(tag, true) : unconfirmed.subMap(tag, true, tag, true);
        List<CompletableFuture<Void>> settled = new ArrayList<>(all.values());
        all.clear();
        settled.forEach(confirmed -> finish(confirmed, failure));
    }

    private void returned(Return message) {
        Map<String, Object> headers = message.getProperties().getHeaders();
        if (headers != null && headers.get(NUMBER_HEADER) instanceof Long number) {
            CompletableFuture<Void> confirmed = unconfirmed.get(number);
            if (confirmed != null) {
                finish(
                        confirmed,
                        new UnroutableException("no queue for exchange \"" + message.getExchange()
                                + "\" and routing key \"" + message.getRoutingKey() + "\": "
                                + message.getReplyText()));
            }
        }
    }

    private void failAll(Throwable cause) {
        List<CompletableFuture<Void>> lost = new ArrayList<>(unconfirmed.values());
        unconfirmed.clear();
        lost.forEach(confirmed -> finish(confirmed, cause));
    }

    private static void finish(CompletableFuture<Void> confirmed, @Nullable Throwable failure) {
        if (failure == null) {
            confirmed.complete(null);
        } else {
            confirmed.completeExceptionally(failure);
        }
    }
}
