package dev.semel.dynamodb;

import dev.semel.KeyDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** A store's table: its shape, and single reads and conditional writes. */
final class Table {

    /** The index of the keys that are not settled. */
    static final String OPEN_INDEX = "open";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{3,255}");

    private final DynamoDbAsyncClient client;
    private final String name;
    private final @Nullable ClockGuard guard;

    Table(DynamoDbAsyncClient client, String name, @Nullable ClockGuard guard) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name of a table must match " + NAME + ", got \"" + name + "\"");
        }
        this.client = client;
        this.name = name;
        this.guard = guard;
    }

    DynamoDbAsyncClient client() {
        return client;
    }

    String name() {
        return name;
    }

    /** What a conditional write came to. If it was refused, {@code found} is what stood there, if anything did. */
    record Written(boolean done, @Nullable Item found) {}

    CompletionStage<Written> change(KeyDigest digest, Change change) {
        return written(() -> client.updateItem(change.of(name, digest)));
    }

    /** Puts a head item where none is. */
    CompletionStage<Written> putNew(Map<String, AttributeValue> attributes) {
        return written(() -> client.putItem(put(attributes)
                .conditionExpression("attribute_not_exists(#key)")
                .expressionAttributeNames(Map.of("#key", Attributes.KEY))
                .build()));
    }

    /** Puts a head item in the place of one that nobody has written to since. */
    CompletionStage<Written> replace(Item old, Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> next = new HashMap<>(attributes);
        long revision = Math.max(new Item(attributes).revision(), old.revision() + 1);
        next.put(Attributes.REVISION, Values.number(revision));
        return written(() -> client.putItem(put(next)
                .conditionExpression("#revision = :revision")
                .expressionAttributeNames(Map.of("#revision", Attributes.REVISION))
                .expressionAttributeValues(Map.of(":revision", Values.number(old.revision())))
                .build()));
    }

    private PutItemRequest.Builder put(Map<String, AttributeValue> attributes) {
        return PutItemRequest.builder()
                .tableName(name)
                .item(attributes)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }

    private <R extends DynamoDbResponse> CompletionStage<Written> written(Supplier<CompletableFuture<R>> write) {
        return watched(write)
                .handle((response, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(new Written(true, null));
                    }
                    if (Failures.unwrap(failure) instanceof ConditionalCheckFailedException refused) {
                        Item found = refused.hasItem() ? new Item(refused.item()) : null;
                        return CompletableFuture.completedFuture(new Written(false, found));
                    }
                    return CompletableFuture.<Written>failedFuture(failure);
                })
                .thenCompose(result -> result);
    }

    /** Sends a request, and lets the guard see what its answer says of the time. */
    private <R extends DynamoDbResponse> CompletableFuture<R> watched(Supplier<CompletableFuture<R>> request) {
        if (guard == null) {
            return request.get();
        }
        ClockGuard.Watch watch = guard.watch();
        return request.get().whenComplete((response, failure) -> {
            if (failure == null) {
                watch.saw(response.sdkHttpResponse());
            } else if (Failures.unwrap(failure) instanceof ConditionalCheckFailedException refused) {
                watch.saw(refused.awsErrorDetails().sdkHttpResponse());
            }
        });
    }

    /** The head item of a key, read with strong consistency. */
    CompletionStage<Optional<Item>> read(KeyDigest digest) {
        return watched(() -> client.getItem(request ->
                        request.tableName(name).key(Keys.head(digest)).consistentRead(true)))
                .thenApply(response -> response.hasItem() ? Optional.of(new Item(response.item())) : Optional.empty());
    }

    CompletionStage<DescribeTableResponse> describe() {
        return watched(() -> client.describeTable(request -> request.tableName(name)));
    }

    /** Creates the table, billed on demand, with its index and its time to live, and waits until it can be used. */
    CompletionStage<Void> create() {
        return client.createTable(shape())
                .handle((created, failure) -> {
                    if (failure != null && !(Failures.unwrap(failure) instanceof ResourceInUseException)) {
                        return CompletableFuture.<Void>failedFuture(failure);
                    }
                    // Another node may be creating it at this moment.
                    return client.waiter()
                            .waitUntilTableExists(request -> request.tableName(name))
                            .thenCompose(exists ->
                                    failure == null ? expireItems() : CompletableFuture.completedFuture(null));
                })
                .thenCompose(result -> result);
    }

    private CompletableFuture<Void> expireItems() {
        return client.updateTimeToLive(request -> request.tableName(name)
                        .timeToLiveSpecification(
                                ttl -> ttl.attributeName(Attributes.GONE_AFTER).enabled(true)))
                .thenApply(response -> null);
    }

    private CreateTableRequest shape() {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                        attribute(Attributes.KEY, ScalarAttributeType.S),
                        attribute(Attributes.PART, ScalarAttributeType.S),
                        attribute(Attributes.OPEN, ScalarAttributeType.S),
                        attribute(Attributes.CLAIMED, ScalarAttributeType.N))
                .keySchema(schema(Attributes.KEY, Attributes.PART))
                .globalSecondaryIndexes(GlobalSecondaryIndex.builder()
                        .indexName(OPEN_INDEX)
                        .keySchema(schema(Attributes.OPEN, Attributes.CLAIMED))
                        .projection(projection -> projection.projectionType(ProjectionType.KEYS_ONLY))
                        .build())
                .build();
    }

    private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(type)
                .build();
    }

    private static List<KeySchemaElement> schema(String hash, String range) {
        return List.of(
                KeySchemaElement.builder()
                        .attributeName(hash)
                        .keyType(KeyType.HASH)
                        .build(),
                KeySchemaElement.builder()
                        .attributeName(range)
                        .keyType(KeyType.RANGE)
                        .build());
    }
}
