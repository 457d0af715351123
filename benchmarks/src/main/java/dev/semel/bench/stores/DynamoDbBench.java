package dev.semel.bench.stores;

import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.MeasurementNames;
import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.server.LocalDynamoDb;
import dev.semel.dynamodb.DynamoDbKeyStore;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The store in DynamoDB against one conditional put and one update of the same table. */
final class DynamoDbBench {

    private static final int CALLERS = 64;
    private static final String RAW = "put, update, 64 in flight";

    private DynamoDbBench() {}

    /** The region, the credentials, and the endpoint if it is not Amazon's, are found as the SDK always finds them. */
    static void run(String table, MeasurementPlan plan, Report report) throws Exception {
        try (DynamoDbAsyncClient client = DynamoDbAsyncClient.create()) {
            run(client, table, plan, report);
        }
    }

    static void runLocally(MeasurementPlan plan, Report report) throws Exception {
        try (LocalDynamoDb server = LocalDynamoDb.start();
                DynamoDbAsyncClient client = server.client()) {
            run(client, "semel", plan, report);
        }
    }

    private static void run(DynamoDbAsyncClient client, String table, MeasurementPlan plan, Report report)
            throws Exception {
        String semel = MeasurementNames.inFlight(CALLERS);
        try (DynamoDbKeyStore store =
                DynamoDbKeyStore.builder(client).table(table).createIfMissing().build()) {
            StoreCycle cycle = new StoreCycle(store);
            StoreComparison duel = new StoreComparison("dynamodb");
            duel.run(
                    plan,
                    RAW,
                    time -> LoadDriver.inFlight(CALLERS, time, () -> putAndUpdate(client, table, Payload.newKey())),
                    semel,
                    time -> LoadDriver.inFlight(CALLERS, time, () -> cycle.run(Payload.newKey())));
            duel.report(report, RAW, semel, "raw");
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
