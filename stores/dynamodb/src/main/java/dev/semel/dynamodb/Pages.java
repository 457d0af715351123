package dev.semel.dynamodb;

import dev.semel.KeyDigest;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
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

/**
 * Pages through keys: those that are not settled by their index, all others by a scan of the table. The work for a page
 * is bounded: what a filter leaves out counts as well.
 */
final class Pages {

    static final String SHARDS = "0123456789abcdef";
    private static final int LEAST_WORK = 100;

    private final Table table;
    private final Outcomes outcomes;

    Pages(Table table) {
        this.table = table;
        this.outcomes = new Outcomes(table);
    }

    CompletionStage<KeyPage> page(KeyQuery query, Moment moment) {
        int work = Math.max(query.limit(), LEAST_WORK);
        CompletionStage<Listing> listing =
                isOpen(query.state()) ? open(OpenPlace.parse(query.cursor()), work) : scan(query.cursor(), work);
        return listing.thenCompose(listed -> read(listed, query, moment));
    }

    /** Some keys in their order, each with the cursor of its place, and the cursor behind the last one. */
    record Listing(List<Entry> entries, @Nullable String next) {}

    record Entry(KeyDigest digest, @Nullable Item item, String cursor) {}

    private CompletionStage<KeyPage> read(Listing listing, KeyQuery query, Moment moment) {
        return Stages.all(listing.entries().stream()
                        .map(entry -> find(entry, moment))
                        .toList())
                .thenApply(records -> {
                    List<KeyRecord> matching = new ArrayList<>();
                    int last = records.size() - 1;
                    for (int i = 0; i <= last; i++) {
                        records.get(i).filter(query::matches).ifPresent(matching::add);
                        if (matching.size() == query.limit() && (i < last || listing.next() != null)) {
                            return new KeyPage(
                                    matching, listing.entries().get(i).cursor());
                        }
                    }
                    return new KeyPage(matching, listing.next());
                });
    }

    private CompletionStage<Optional<KeyRecord>> find(Entry entry, Moment moment) {
        Item known = entry.item();
        return known != null
                ? toRecord(known, moment)
                : table.read(entry.digest())
                        .thenCompose(found -> found.map(item -> toRecord(item, moment))
                                .orElse(CompletableFuture.completedFuture(Optional.empty())));
    }

    CompletionStage<Optional<KeyRecord>> toRecord(Item item, Moment moment) {
        if (item.isGone(moment)) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (!item.state().isSettled()) {
            return CompletableFuture.completedFuture(Optional.of(item.toRecord(null, moment)));
        }
        return outcomes.read(item).thenApply(outcome -> Optional.of(item.toRecord(outcome, moment)));
    }

    /** All keys, in the order of the table, behind a cursor of an earlier scan. */
    CompletionStage<Listing> scan(@Nullable String after, int limit) {
        ScanRequest.Builder request = ScanRequest.builder()
                .tableName(table.name())
                .consistentRead(true)
                .limit(limit)
                .filterExpression("#part = :head")
                .expressionAttributeNames(Map.of("#part", Attributes.PART))
                .expressionAttributeValues(Map.of(":head", Values.text(Attributes.HEAD)));
        if (after != null) {
            request.exclusiveStartKey(Keys.parse(after));
        }
        return table.client().scan(request.build()).thenApply(response -> {
            List<Entry> entries = new ArrayList<>();
            for (Map<String, AttributeValue> attributes : response.items()) {
                Item item = new Item(attributes);
                entries.add(new Entry(item.digest(), item, Keys.print(attributes)));
            }
            // Where the scan stopped may be a piece of an outcome.
            Map<String, AttributeValue> last = response.lastEvaluatedKey();
            return new Listing(entries, last.isEmpty() ? null : Keys.print(last));
        });
    }

    /** Keys that are not settled, the oldest claim of each shard first. */
    CompletionStage<Listing> open(OpenPlace start, int limit) {
        QueryRequest.Builder request = QueryRequest.builder()
                .tableName(table.name())
                .indexName(Table.OPEN_INDEX)
                .limit(limit)
                .keyConditionExpression("#open = :shard")
                .expressionAttributeNames(Map.of("#open", Attributes.OPEN))
                .expressionAttributeValues(Map.of(":shard", Values.text(start.shard())));
        start.key().ifPresent(request::exclusiveStartKey);
        return table.client().query(request.build()).thenCompose(response -> {
            List<Entry> entries = new ArrayList<>();
            for (Map<String, AttributeValue> keys : response.items()) {
                Item item = new Item(keys);
                String cursor = new OpenPlace(start.shard(), item.number(Attributes.CLAIMED), item.digest()).cursor();
                entries.add(new Entry(item.digest(), null, cursor));
            }
            if (!response.lastEvaluatedKey().isEmpty()) {
                return CompletableFuture.completedFuture(
                        new Listing(entries, entries.get(entries.size() - 1).cursor()));
            }
            OpenPlace next = start.nextShard();
            if (next == null || entries.size() >= limit) {
                return CompletableFuture.completedFuture(new Listing(entries, next == null ? null : next.cursor()));
            }
            return open(next, limit - entries.size()).thenApply(rest -> {
                entries.addAll(rest.entries());
                return new Listing(entries, rest.next());
            });
        });
    }

    /** A place in the index of open keys; without a digest it is the beginning of the shard. */
    record OpenPlace(String shard, long claimed, @Nullable KeyDigest digest) {

        static OpenPlace parse(@Nullable String cursor) {
            if (cursor == null) {
                return new OpenPlace("0", 0, null);
            }
            String[] parts = cursor.split(":");
            if (!SHARDS.contains(parts[0]) || parts[0].length() != 1 || parts.length == 2 || parts.length > 3) {
                throw new IllegalArgumentException("\"" + cursor + "\" is no cursor of open keys in DynamoDB");
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
            key.put(Attributes.OPEN, Values.text(shard));
            key.put(Attributes.CLAIMED, Values.number(claimed));
            return Optional.of(key);
        }

        @Nullable
        OpenPlace nextShard() {
            int next = SHARDS.indexOf(shard) + 1;
            return next == SHARDS.length() ? null : new OpenPlace(SHARDS.substring(next, next + 1), 0, null);
        }
    }

    private static boolean isOpen(@Nullable KeyState state) {
        return state == KeyState.PENDING || state == KeyState.LAPSED || state == KeyState.UNKNOWN;
    }
}
