package dev.semel.torture.database;

import dev.semel.dynamodb.DynamoDbKeyStore;
import dev.semel.testservers.TestDynamoDb;
import dev.semel.torture.process.BesideTheCode;
import dev.semel.torture.wire.WireProtocol;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** A DynamoDB Local in the conductor's process: DynamoDB itself does not lose what it has acknowledged, so nothing kills it. */
public record DynamoDbDatabase(TestDynamoDb server) implements Database {

    private static final String TABLE = "semel";

    public static DynamoDbDatabase start() throws Exception {
        Path library = BesideTheCode.path("dynamodb");
        return new DynamoDbDatabase(Files.exists(library) ? TestDynamoDb.start(library) : TestDynamoDb.start());
    }

    @Override
    public List<Integer> ports() {
        return List.of(server.port());
    }

    @Override
    public WireProtocol protocol() {
        return WireProtocol.DYNAMODB;
    }

    @Override
    public String url(List<Integer> ports) {
        return "dynamodb:" + TABLE + "?region=eu-central-1&createIfMissing=true&endpoint=http://127.0.0.1:"
                + ports.get(0);
    }

    /** DynamoDB Local accepts any. */
    @Override
    public Map<String, String> environment() {
        return Map.of("AWS_ACCESS_KEY_ID", "test", "AWS_SECRET_ACCESS_KEY", "test");
    }

    @Override
    public void inspect(Look look) throws Exception {
        try (DynamoDbAsyncClient client = server.client();
                DynamoDbKeyStore keys =
                        DynamoDbKeyStore.builder(client).table(TABLE).build()) {
            look.at(keys);
        }
    }

    @Override
    public String restart(Random random) {
        throw new UnsupportedOperationException("nothing kills DynamoDB");
    }

    @Override
    public List<ProcessHandle> processes() {
        return List.of();
    }

    @Override
    public void heal() {}

    @Override
    public void close() throws Exception {
        server.close();
    }
}
