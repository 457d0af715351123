package dev.semel.torture.broker;

import dev.semel.torture.process.DaemonThreads;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.util.NowProvider;
import scala.Option;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** An ElasticMQ with a standard queue for each queue. */
public final class SqsQueues implements Broker {

    private static final int RECEIVE = 10;
    private static final long AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ActorSystem actors;
    /** Keeps the messages while the server is down. */
    private final ActorRef manager;

    private final List<MessageQueue> queues;
    private final int port;
    private final SqsAsyncClient client;
    private volatile SQSRestServer server;
    private volatile boolean closed;

    private SqsQueues(ActorSystem actors, List<MessageQueue> queues) {
        this.actors = actors;
        this.queues = queues;
        this.manager = actors.actorOf(Props.create(
                QueueManagerActor.class,
                () -> new QueueManagerActor(new NowProvider(), StrictSQSLimits$.MODULE$, Option.empty())));
        this.server = serve(actors, manager, 0);
        this.port = server.waitUntilStarted().localAddress().getPort();
        this.client = client(address());
    }

    public static SqsQueues start(List<MessageQueue> queues) {
        SqsQueues started = new SqsQueues(ActorSystem.create("elasticmq"), queues);
        queues.forEach(queue -> started.create(queue.name()));
        started.create(MessageQueue.DEAD);
        return started;
    }

    private static SQSRestServer serve(ActorSystem actors, ActorRef manager, int port) {
        return SQSRestServerBuilder.withActorSystem(actors)
                .withQueueManagerActor(manager)
                .withInterface("127.0.0.1")
                .withPort(port)
                .start();
    }

    private void create(String name) {
        client.createQueue(request -> request.queueName(name)).join();
    }

    static SqsAsyncClient client(String address) {
        return SqsAsyncClient.builder()
                .endpointOverride(URI.create(address))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
                .build();
    }

    static String url(String address, String queue) {
        return address + "/000000000000/" + queue;
    }

    @Override
    public String address() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public CompletionStage<?> send(MessageQueue queue, Map<String, String> headers, byte[] body) {
        Map<String, MessageAttributeValue> attributes = new HashMap<>();
        headers.forEach((name, value) -> attributes.put(
                name,
                MessageAttributeValue.builder()
                        .dataType("String")
                        .stringValue(value)
                        .build()));
        return client.sendMessage(request -> request.queueUrl(url(address(), queue.name()))
                .messageAttributes(attributes)
                .messageBody(new String(body, StandardCharsets.UTF_8)));
    }

    @Override
    public void onDeadLetter(Consumer<DeadMessage> listener) {
        DaemonThreads.of("dead-letters", () -> {
                    while (!closed) {
                        receive(listener);
                    }
                })
                .start();
    }

    private void receive(Consumer<DeadMessage> listener) {
        String url = url(address(), MessageQueue.DEAD);
        try {
            List<Message> received = client.receiveMessage(request -> request.queueUrl(url)
                            .maxNumberOfMessages(RECEIVE)
                            .waitTimeSeconds(1)
                            .messageAttributeNames("All"))
                    .join()
                    .messages();
            for (Message message : received) {
                Map<String, String> headers = new HashMap<>();
                message.messageAttributes().forEach((name, value) -> headers.put(name, value.stringValue()));
                listener.accept(new DeadMessage(headers, message.body().getBytes(StandardCharsets.UTF_8)));
                client.deleteMessage(request -> request.queueUrl(url).receiptHandle(message.receiptHandle()))
                        .join();
            }
        } catch (CompletionException e) {
            // The server is down, as it is meant to be from time to time: the letter comes again.
            LockSupport.parkNanos(AFTER_FAILURE_NANOS);
        }
    }

    @Override
    public long waiting() {
        return queues.stream().mapToLong(this::waiting).sum();
    }

    private long waiting(MessageQueue queue) {
        return client
                .getQueueAttributes(request -> request.queueUrl(url(address(), queue.name()))
                        .attributeNames(
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED))
                .join()
                .attributes()
                .values()
                .stream()
                .mapToLong(Long::parseLong)
                .sum();
    }

    @Override
    public void restart() {
        server.stopAndWait();
        server = serve(actors, manager, port);
        server.waitUntilStarted();
    }

    @Override
    public void close() {
        closed = true;
        client.close();
        server.stopAndWait();
        actors.terminate();
    }
}
