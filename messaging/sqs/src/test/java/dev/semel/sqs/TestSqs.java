package dev.semel.sqs;

import java.net.URI;
import java.util.Map;
import java.util.UUID;
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
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The ElasticMQ server that the tests of this module share, and queues in it. */
final class TestSqs {

    private TestSqs() {}

    private static final class Shared {

        static final ActorSystem ACTORS = ActorSystem.create("elasticmq");
        /** Keeps the queues while the server is down. */
        static final ActorRef QUEUES = ACTORS.actorOf(Props.create(
                QueueManagerActor.class,
                () -> new QueueManagerActor(new NowProvider(), StrictSQSLimits$.MODULE$, Option.empty())));

        static SQSRestServer server = start(0);
        static final int PORT = server.waitUntilStarted().localAddress().getPort();
        static final SqsAsyncClient CLIENT = client(PORT);

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(ACTORS::terminate));
        }

        private static SQSRestServer start(int port) {
            SQSRestServer started = SQSRestServerBuilder.withActorSystem(ACTORS)
                    .withQueueManagerActor(QUEUES)
                    .withInterface("127.0.0.1")
                    .withPort(port)
                    .start();
            started.waitUntilStarted();
            return started;
        }
    }

    static void shutDown() {
        Shared.server.stopAndWait();
    }

    static void startUp() {
        Shared.server = Shared.start(Shared.PORT);
    }

    static int port() {
        return Shared.PORT;
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
