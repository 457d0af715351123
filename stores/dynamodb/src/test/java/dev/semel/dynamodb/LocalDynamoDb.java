package dev.semel.dynamodb;

import dev.semel.testservers.TestDynamoDb;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The DynamoDB Local that the test classes of this module share, and a client of it; each test has its own table. */
final class LocalDynamoDb {

    static final DynamoDbAsyncClient CLIENT = start().client();

    private LocalDynamoDb() {}

    static String newTable() {
        return "test-" + UUID.randomUUID();
    }

    private static TestDynamoDb start() {
        try {
            return TestDynamoDb.start();
        } catch (Exception e) {
            throw new IllegalStateException("DynamoDB Local did not start", e);
        }
    }
}
