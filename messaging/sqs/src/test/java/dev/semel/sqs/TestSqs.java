package dev.semel.sqs;

import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The ElasticMQ server that the tests of this module share, and queues in it. */
final class TestSqs {

    private TestSqs() {}

    private static final class Shared {

        static final SQSRestServer SERVER = start();
        static final SqsAsyncClient CLIENT = client(port());

        private static SQSRestServer start() {
            SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1")
                    .withDynamicPort()
                    .start();
            server.waitUntilStarted();
            Runtime.getRuntime().addShutdownHook(new Thread(server::stopAndWait));
            return server;
        }

        private static int port() {
            return SERVER.waitUntilStarted().localAddress().getPort();
        }
    }

    static int port() {
        return Shared.port();
    }

    static SqsAsyncClient client(int port) {
        return SqsAsyncClient.builder()
                .endpointOverride(URI.create("http://127.0.0.1:" + port))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
                .build();
    }

    static SqsAsyncClient client() {
        return Shared.CLIENT;
    }

    static String newQueue() {
        return create("queue-" + UUID.randomUUID(), Map.of());
    }

    static String newFifoQueue() {
        return create("queue-" + UUID.randomUUID() + ".fifo", Map.of(QueueAttributeName.FIFO_QUEUE, "true"));
    }

    private static String create(String name, Map<QueueAttributeName, String> attributes) {
        return client().createQueue(request -> request.queueName(name).attributes(attributes))
                .join()
                .queueUrl();
    }

    /** How many messages the queue still has, visible or not. */
    static int count(String queueUrl) {
        Map<QueueAttributeName, String> attributes = client().getQueueAttributes(request -> request.queueUrl(queueUrl)
                        .attributeNames(
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                .join()
                .attributes();
        return attributes.values().stream().mapToInt(Integer::parseInt).sum();
    }
}
