package dev.semel.testservers;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import java.net.URI;
import java.nio.file.Path;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** A DynamoDB Local in this process. It keeps everything in memory. */
public record TestDynamoDb(DynamoDBProxyServer server, int port) implements AutoCloseable {

    /** Starts one whose native library is in this directory: in a jar with everything in it, it is not found. */
    public static TestDynamoDb start(Path library) throws Exception {
        System.setProperty("sqlite4java.library.path", library.toString());
        return start();
    }

    public static TestDynamoDb start() throws Exception {
        int port = TestPorts.free();
        DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(
                new String[] {"-inMemory", "-disableTelemetry", "-port", Integer.toString(port)});
        server.start();
        return new TestDynamoDb(server, port);
    }

    public DynamoDbAsyncClient client() {
        return client(port);
    }

    /** A client of whatever is at this port. */
    public static DynamoDbAsyncClient client(int port) {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(URI.create("http://localhost:" + port))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build();
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
