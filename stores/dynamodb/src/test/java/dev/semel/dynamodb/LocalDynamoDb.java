package dev.semel.dynamodb;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.UUID;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The DynamoDB Local that the test classes of this module share, and a client of it; each test has its own table. */
final class LocalDynamoDb {

    static final String ENDPOINT = start();
    static final DynamoDbAsyncClient CLIENT = client(ENDPOINT);

    private LocalDynamoDb() {}

    static String newTable() {
        return "test-" + UUID.randomUUID();
    }

    static DynamoDbAsyncClient client(String endpoint) {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build();
    }

    private static String start() {
        try {
            int port = freePort();
            DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(
                    new String[] {"-inMemory", "-disableTelemetry", "-port", Integer.toString(port)});
            server.start();
            return "http://localhost:" + port;
        } catch (Exception e) {
            throw new IllegalStateException("DynamoDB Local did not start", e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
