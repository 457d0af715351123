package dev.semel.bench.stores;

import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.server.ServerProcess;
import dev.semel.dynamodb.DynamoDbKeyStore;
import dev.semel.testservers.TestDynamoDb;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The store in DynamoDB against one conditional put and one update of the same table. */
final class DynamoDbBench {

    private DynamoDbBench() {}

    /**
     * Measures in a table of Amazon's, or in DynamoDB Local if none is named. The region, the credentials, and the endpoint
     * if it is not Amazon's, are found as the SDK always finds them.
     */
    static void run(@Nullable String table, MeasurementPlan plan, Report report) throws Exception {
        if (table != null) {
            try (DynamoDbAsyncClient client = DynamoDbAsyncClient.create()) {
                run(client, table, plan, report);
            }
            return;
        }
        try (TestDynamoDb server = TestDynamoDb.start(ServerProcess.besideTheJar("dynamodb"));
                DynamoDbAsyncClient client = server.client()) {
            run(client, "semel", plan, report);
        }
    }

    private static void run(DynamoDbAsyncClient client, String table, MeasurementPlan plan, Report report)
            throws Exception {
        try (DynamoDbKeyStore store =
                DynamoDbKeyStore.builder(client).table(table).createIfMissing().build()) {
            StoreComparison comparison = new StoreComparison("dynamodb", 64, plan, report);
            comparison.run(
                    "raw",
                    "put, update, 64 in flight",
                    comparison.inFlight(key -> putAndUpdate(client, table, key)),
                    comparison.cycles(store));
        }
    }

    private static CompletionStage<?> putAndUpdate(DynamoDbAsyncClient client, String table, String key) {
        Map<String, AttributeValue> name =
                Map.of("key", AttributeValue.fromS(key), "part", AttributeValue.fromS("raw"));
        return client.putItem(put -> put.tableName(table)
                        .item(name)
                        .conditionExpression("attribute_not_exists(#key)")
                        .expressionAttributeNames(Map.of("#key", "key")))
                .thenCompose(done -> client.updateItem(update -> update.tableName(table)
                        .key(name)
                        .updateExpression("SET #response = :response")
                        .expressionAttributeNames(Map.of("#response", "response"))
                        .expressionAttributeValues(Map.of(":response", AttributeValue.fromS(Payload.of(key))))));
    }
}
