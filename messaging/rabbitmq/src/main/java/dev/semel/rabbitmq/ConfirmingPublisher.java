package dev.semel.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import dev.semel.Key;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Publishes persistent messages with a message id, and reports for each whether the broker has accepted it and had a queue for
 * it.
 *
 * <p>It has its own channel, and any number of threads may use it. A broker closes the channel after an error, such as
 * an exchange that does not exist; messages fail until another channel is open.
 */
public final class ConfirmingPublisher implements AutoCloseable {

    private static final int PERSISTENT = 2;

    private final LastingChannel channel;
    private final AtomicReference<Confirms> confirms;

    private ConfirmingPublisher(LastingChannel channel, AtomicReference<Confirms> confirms) {
        this.channel = channel;
        this.confirms = confirms;
    }

    public static ConfirmingPublisher open(Connection connection) throws IOException {
        AtomicReference<Confirms> confirms = new AtomicReference<>();
        LastingChannel channel =
                new LastingChannel(connection, "a publisher", (owner, fresh) -> confirms.set(Confirms.on(fresh)));
        return new ConfirmingPublisher(channel, confirms);
    }

    /**
     * Publishes a message, with a new random id if it has none. The stage fails if the broker refuses the message, has no
     * queue for it, or is lost; in the last case it may have arrived: publish it again with the same id. A
     * header {@code semel-publish} is added, which distinguishes a returned message from others with its id.
     */
    public CompletionStage<Void> publish(String exchange, String routingKey, BasicProperties properties, byte[] body) {
        String id = properties.getMessageId() == null ? Key.randomValue() : properties.getMessageId();
        BasicProperties complete =
                properties.builder().messageId(id).deliveryMode(PERSISTENT).build();
        return Objects.requireNonNull(confirms.get(), "no channel").publish(exchange, routingKey, complete, body);
    }

    @Override
    public void close() throws IOException {
        LastingChannel.close(channel.last());
    }
}
