package dev.semel.bench.server;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import dev.semel.testservers.TestPorts;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** A DynamoDB Local of the benchmark's own, in this process. It keeps everything in memory. */
public record LocalDynamoDb(DynamoDBProxyServer server, int port) implements AutoCloseable {

    public static LocalDynamoDb start() throws Exception {
        System.setProperty(
                "sqlite4java.library.path",
                ServerProcess.besideTheJar("dynamodb").toString());
        int port = TestPorts.free();
        DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(
                new String[] {"-inMemory", "-disableTelemetry", "-port", Integer.toString(port)});
        server.start();
        return new LocalDynamoDb(server, port);
    }

    public DynamoDbAsyncClient client() {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(URI.create("http://localhost:" + port))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("bench", "bench")))
                .build();
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
