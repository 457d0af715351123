package dev.semel.dynamodb;

import dev.semel.KeyDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/** Lists keys: those that are not settled by their index, all of them by a scan of the table. */
final class Listing {

    private static final String SHARDS = "0123456789abcdef";

    private final Table table;

    Listing(Table table) {
        this.table = table;
    }

    /** Some items in their order, and the cursor behind the last one. */
    record Items(List<Found> found, @Nullable String next) {}

    /** An item, or the keys of one from the index, and the cursor of its place. */
    record Found(Map<String, AttributeValue> item, String cursor) {}

    /** All keys, in the order of the table, behind a cursor of an earlier scan. */
    CompletionStage<Items> all(@Nullable String after, int limit) {
        ScanRequest.Builder request = ScanRequest.builder()
                .tableName(table.name())
                .consistentRead(true)
                .limit(limit)
                .filterExpression("#part = :head")
                .expressionAttributeNames(Map.of("#part", Attributes.PART))
                .expressionAttributeValues(Map.of(":head", AttributeValue.fromS(Attributes.HEAD)));
        if (after != null) {
            request.exclusiveStartKey(Keys.parse(after));
        }
        return table.client().scan(request.build()).thenApply(response -> {
            List<Found> found = new ArrayList<>();
            response.items().forEach(item -> found.add(new Found(item, Keys.print(item))));
            // Where the scan stopped may be a piece of an outcome.
            Map<String, AttributeValue> last = response.lastEvaluatedKey();
            return new Items(found, last.isEmpty() ? null : Keys.print(last));
        });
    }

    /** The keys of items that are not settled, the oldest claim of each shard first. */
    CompletionStage<Items> open(@Nullable String after, int limit) {
        return open(OpenPlace.parse(after), limit);
    }

    private CompletionStage<Items> open(OpenPlace start, int limit) {
        QueryRequest.Builder request = QueryRequest.builder()
                .tableName(table.name())
                .indexName(Table.OPEN_INDEX)
                .limit(limit)
                .keyConditionExpression("#open = :shard")
                .expressionAttributeNames(Map.of("#open", Attributes.OPEN))
                .expressionAttributeValues(Map.of(":shard", AttributeValue.fromS(start.shard())));
        start.key().ifPresent(request::exclusiveStartKey);
        return table.client().query(request.build()).thenCompose(response -> {
            List<Found> found = new ArrayList<>();
            for (Map<String, AttributeValue> keys : response.items()) {
                OpenPlace place =
                        new OpenPlace(start.shard(), Values.number(keys, Attributes.CLAIMED), Keys.digest(keys));
                found.add(new Found(keys, place.cursor()));
            }
            if (!response.lastEvaluatedKey().isEmpty()) {
                return CompletableFuture.completedFuture(
                        new Items(found, found.get(found.size() - 1).cursor()));
            }
            OpenPlace next = start.nextShard();
            if (next == null || found.size() >= limit) {
                return CompletableFuture.completedFuture(new Items(found, next == null ? null : next.cursor()));
            }
            return open(next, limit - found.size()).thenApply(rest -> {
                found.addAll(rest.found());
                return new Items(found, rest.next());
            });
        });
    }

    /** A place in the index of open keys; without a digest it is the beginning of the shard. */
    private record OpenPlace(
            String shard, long claimed, @Nullable KeyDigest digest) {

        static OpenPlace parse(@Nullable String cursor) {
            if (cursor == null) {
                return new OpenPlace("0", 0, null);
            }
            String[] parts = cursor.split(":");
            if (!SHARDS.contains(parts[0]) || parts[0].length() != 1 || parts.length == 2 || parts.length > 3) {
                throw new IllegalArgumentException("\"" + cursor + "\" is not a cursor of open keys in DynamoDB");
            }
            return parts.length == 1
                    ? new OpenPlace(parts[0], 0, null)
                    : new OpenPlace(parts[0], Long.parseLong(parts[1]), KeyDigest.parse(parts[2]));
        }

        String cursor() {
            return digest == null ? shard : shard + ":" + claimed + ":" + digest;
        }

        Optional<Map<String, AttributeValue>> key() {
            if (digest == null) {
                return Optional.empty();
            }
            Map<String, AttributeValue> key = new HashMap<>(Keys.head(digest));
            key.put(Attributes.OPEN, AttributeValue.fromS(shard));
            key.put(Attributes.CLAIMED, Values.number(claimed));
            return Optional.of(key);
        }

        @Nullable
        OpenPlace nextShard() {
            int next = SHARDS.indexOf(shard) + 1;
            return next == SHARDS.length() ? null : new OpenPlace(SHARDS.substring(next, next + 1), 0, null);
        }
    }
}
