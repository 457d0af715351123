package dev.semel.dynamodb;

import dev.semel.KeyDigest;
import dev.semel.spi.life.Cell;
import dev.semel.spi.life.EngineFailures;
import dev.semel.spi.life.SharedClock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** A store's table: its shape, and single reads and conditional writes. */
final class Table {

    private static final Logger LOG = LoggerFactory.getLogger(Table.class);

    /** The index of the keys that are not settled. */
    static final String OPEN_INDEX = "open";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{3,255}");

    /** DynamoDB reports the time in whole seconds. */
    private static final Duration RESOLUTION = Duration.ofSeconds(1);

    private final DynamoDbAsyncClient client;
    private final String name;
    private final @Nullable SharedClock checked;

    /** @param checked the clock that is compared with the time in DynamoDB's answers; {@code null} for none */
    Table(DynamoDbAsyncClient client, String name, @Nullable SharedClock checked) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name of a table must match " + NAME + ", got \"" + name + "\"");
        }
        this.client = client;
        this.name = name;
        this.checked = checked;
    }

    DynamoDbAsyncClient client() {
        return client;
    }

    String name() {
        return name;
    }

    /** The result of a conditional write. If it was refused, {@code found} is the existing item, if there was one. */
    record Written(boolean done, @Nullable Map<String, AttributeValue> found) {}

    /** Inserts a head item, or replaces one that has not been written to since. */
    CompletionStage<Written> put(Map<String, AttributeValue> item, long expectedVersion) {
        PutItemRequest.Builder request = PutItemRequest.builder()
                .tableName(name)
                .item(item)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        if (expectedVersion == Cell.ABSENT) {
            request.conditionExpression("attribute_not_exists(#key)")
                    .expressionAttributeNames(Map.of("#key", Attributes.KEY));
        } else {
            request.conditionExpression("#version = :version")
                    .expressionAttributeNames(Map.of("#version", Attributes.VERSION))
                    .expressionAttributeValues(Map.of(":version", Values.number(expectedVersion)));
        }
        return watched(() -> client.putItem(request.build()))
                .handle((response, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(new Written(true, null));
                    }
                    if (EngineFailures.unwrap(failure) instanceof ConditionalCheckFailedException refused) {
                        return CompletableFuture.completedFuture(
                                new Written(false, refused.hasItem() ? refused.item() : null));
                    }
                    return CompletableFuture.<Written>failedFuture(failure);
                })
                .thenCompose(result -> result);
    }

    /** Sends a request, and compares the clock with the time of its answer. */
    private <R extends DynamoDbResponse> CompletableFuture<R> watched(Supplier<CompletableFuture<R>> request) {
        if (checked == null) {
            return request.get();
        }
        SharedClock.Watch watch = checked.watch();
        return request.get().whenComplete((response, failure) -> {
            if (failure == null) {
                compare(watch, response.sdkHttpResponse());
            } else if (EngineFailures.unwrap(failure) instanceof ConditionalCheckFailedException refused) {
                compare(watch, refused.awsErrorDetails().sdkHttpResponse());
            }
        });
    }

    private static void compare(SharedClock.Watch watch, SdkHttpResponse response) {
        response.firstMatchingHeader("Date").ifPresent(date -> {
            try {
                watch.answered(
                        ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                                .toInstant(),
                        RESOLUTION);
            } catch (DateTimeParseException e) {
                LOG.debug("the Date header \"{}\" of DynamoDB cannot be read, so the clock is not compared", date);
            }
        });
    }

    /** The head item of a key, read with strong consistency; {@code null} if there is none. */
    CompletionStage<@Nullable Map<String, AttributeValue>> read(KeyDigest digest) {
        return watched(() -> client.getItem(request ->
                        request.tableName(name).key(Keys.head(digest)).consistentRead(true)))
                .thenApply(response -> response.hasItem() ? response.item() : null);
    }

    CompletionStage<DescribeTableResponse> describe() {
        return watched(() -> client.describeTable(request -> request.tableName(name)));
    }

    /** Creates the table, billed on demand, with its index and its time to live, and waits until it can be used. */
    CompletionStage<Void> create() {
        return client.createTable(shape())
                .handle((created, failure) -> {
                    if (failure != null && !(EngineFailures.unwrap(failure) instanceof ResourceInUseException)) {
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

    @SuppressWarnings("unchecked") // The SDK takes generic consumers as varargs.
    private CreateTableRequest shape() {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                        text -> text.attributeName(Attributes.KEY).attributeType(ScalarAttributeType.S),
                        text -> text.attributeName(Attributes.PART).attributeType(ScalarAttributeType.S),
                        text -> text.attributeName(Attributes.OPEN).attributeType(ScalarAttributeType.S),
                        number -> number.attributeName(Attributes.CLAIMED).attributeType(ScalarAttributeType.N))
                .keySchema(
                        hash -> hash.attributeName(Attributes.KEY).keyType(KeyType.HASH),
                        range -> range.attributeName(Attributes.PART).keyType(KeyType.RANGE))
                .globalSecondaryIndexes(index -> index.indexName(OPEN_INDEX)
                        .keySchema(
                                hash -> hash.attributeName(Attributes.OPEN).keyType(KeyType.HASH),
                                range -> range.attributeName(Attributes.CLAIMED).keyType(KeyType.RANGE))
                        .projection(projection -> projection.projectionType(ProjectionType.KEYS_ONLY)))
                .build();
    }
}
