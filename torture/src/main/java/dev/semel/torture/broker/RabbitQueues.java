package dev.semel.torture.broker;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import dev.semel.rabbitmq.ConfirmingPublisher;
import dev.semel.testservers.TestBroker;
import dev.semel.torture.service.ServiceRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A broker of AMQP 0-9-1 with a durable queue for each queue. */
public final class RabbitQueues implements Broker {

    private final TestBroker broker;
    private final List<MessageQueue> queues;
    private final Connection connection;
    private final ConfirmingPublisher publisher;

    private RabbitQueues(TestBroker broker, List<MessageQueue> queues) throws Exception {
        this.broker = broker;
        this.queues = queues;
        this.connection = broker.open();
        this.publisher = ConfirmingPublisher.open(connection);
    }

    public static RabbitQueues start(List<MessageQueue> queues) throws Exception {
        RabbitQueues started = new RabbitQueues(TestBroker.durable(), queues);
        try (Channel channel = started.connection.createChannel()) {
            for (MessageQueue queue : queues) {
                channel.queueDeclare(queue.name(), true, false, false, null);
            }
            channel.queueDeclare(MessageQueue.DEAD, true, false, false, null);
        }
        return started;
    }

    @Override
    public String address() {
        return Integer.toString(connection.getPort());
    }

    @Override
    public CompletionStage<?> send(MessageQueue queue, Map<String, String> headers, byte[] body) {
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(headers.get(ServiceRequest.KEY))
                .headers(new HashMap<>(headers))
                .build();
        return publisher.publish("", queue.name(), properties, body);
    }

    @Override
    public void onDeadLetter(Consumer<DeadMessage> listener) {
        try {
            Channel channel = connection.createChannel();
            channel.basicConsume(
                    MessageQueue.DEAD, true, (consumer, message) -> listener.accept(read(message)), consumer -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DeadMessage read(Delivery message) {
        Map<String, String> headers = new HashMap<>();
        message.getProperties().getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
        return new DeadMessage(headers, message.getBody());
    }

    @Override
    public long waiting() throws Exception {
        long waiting = 0;
        try (Channel channel = connection.createChannel()) {
            for (MessageQueue queue : queues) {
                waiting += channel.messageCount(queue.name());
            }
        }
        return waiting;
    }

    @Override
    public void restart() throws Exception {
        broker.shutDown();
        broker.startUp();
    }

    @Override
    public void close() throws Exception {
        connection.abort();
        broker.close();
    }
}
