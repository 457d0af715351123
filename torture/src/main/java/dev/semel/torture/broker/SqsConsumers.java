package dev.semel.torture.broker;

import dev.semel.messaging.Backoff;
import dev.semel.sqs.DeadLetterQueue;
import dev.semel.sqs.SqsConsumer;
import dev.semel.sqs.SqsKeyExtractor;
import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.service.ServiceRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** A consumer of each queue. */
record SqsConsumers(SqsAsyncClient client, List<SqsConsumer> consumers) implements Consumers {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Shorter than it should be, so that messages are delivered to another node while they are still handled. */
    private static final Duration VISIBILITY = Duration.ofSeconds(2);

    static SqsConsumers start(String address, MessageService service) {
        SqsAsyncClient client = SqsQueues.client(address);
        List<SqsConsumer> consumers = service.queues().stream()
                .map(queue -> consumer(address, client, service, queue))
                .toList();
        consumers.forEach(consumer -> DaemonThreads.of("sqs", consumer).start());
        return new SqsConsumers(client, consumers);
    }

    private static SqsConsumer consumer(
            String address, SqsAsyncClient client, MessageService service, MessageQueue queue) {
        SqsKeyExtractor sent = SqsKeyExtractor.attribute(SqsKeyExtractor.ATTRIBUTE);
        SqsConsumer.Builder builder = SqsConsumer.builder(service.semel(), client, SqsQueues.url(address, queue.name()))
                .key(message -> sent.keyOf(message).map(key -> service.key(key, message.messageId())))
                .visibility(VISIBILITY)
                .wait(SECOND)
                .backoff(new Backoff(SECOND, SECOND));
        service.configured(builder, queue, DeadLetterQueue.of(client, SqsQueues.url(address, MessageQueue.DEAD)));
        return queue.operation().isTransactional()
                ? builder.handleIn(
                        service.transactions(),
                        (message, attempt, transaction) -> service.handle(request(message), attempt, transaction))
                : builder.handle((message, attempt) -> service.handle(request(message), attempt));
    }

    private static ServiceRequest request(Message message) {
        return ServiceRequest.read(
                name -> Objects.requireNonNull(message.messageAttributes().get(name), name)
                        .stringValue(),
                message.body().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        consumers.forEach(SqsConsumer::close);
        client.close();
    }
}
