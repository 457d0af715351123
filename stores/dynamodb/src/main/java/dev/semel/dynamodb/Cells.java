package dev.semel.dynamodb;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.spi.life.Cell;
import dev.semel.spi.life.OutcomeBytes;
import dev.semel.spi.life.StoredKey;
import dev.semel.spi.life.StoredKeyBytes;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.store.StoreException;
import dev.semel.util.Micros;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Cells as items: a small one in the head item, a large outcome in pieces beside it, because an item has at most 400 KB.
 *
 * <p>The pieces are written before the head item refers to them, under a name that is used only once, so that no reader
 * sees half an outcome or two mixed up. Unreferenced pieces go when their time to live ends.
 */
final class Cells {

    private static final int INLINE = 350 << 10;
    private static final int CHUNK_SIZE = 384 << 10;
    private static final int MAX_SIZE = 16 << 20;

    private final Table table;

    Cells(Table table) {
        this.table = table;
    }

    /** Writes what does not fit into the head item, and returns that item. */
    CompletionStage<Map<String, AttributeValue>> write(KeyDigest digest, Cell cell) {
        Map<String, AttributeValue> item = new HashMap<>(Keys.head(digest));
        item.put(Attributes.VERSION, Values.number(cell.version()));
        item.put(Attributes.TOKEN, Values.number(cell.token()));
        Instant removableAt = cell.removableAt();
        if (removableAt != null) {
            item.put(Attributes.GONE_AFTER, Values.number(removableAt.getEpochSecond() + 1));
        }
        StoredKey key = cell.key();
        if (key == null) {
            return CompletableFuture.completedFuture(item);
        }
        if (cell.isOpen()) {
            item.put(Attributes.OPEN, AttributeValue.fromS(Keys.openShard(digest)));
            item.put(Attributes.CLAIMED, Values.number(Micros.of(key.claimedAt())));
        }
        byte[] data = StoredKeyBytes.encode(key);
        StoredKey.Settlement settlement = key.settlement();
        if (data.length <= INLINE || settlement == null) {
            item.put(Attributes.DATA, Values.bytes(data));
            return CompletableFuture.completedFuture(item);
        }
        Outcome outcome = settlement.outcome();
        item.put(Attributes.DATA, Values.bytes(StoredKeyBytes.encode(key.withOutcome(outcome.withoutPayload()))));
        return writeChunks(item, digest, outcome).thenApply(done -> item);
    }

    private CompletionStage<Void> writeChunks(Map<String, AttributeValue> head, KeyDigest digest, Outcome outcome) {
        byte[] bytes = OutcomeBytes.encode(outcome);
        if (bytes.length > MAX_SIZE) {
            byte[] payload = outcome.payload();
            return CompletableFuture.failedFuture(
                    new PayloadTooLargeException(payload == null ? bytes.length : payload.length, MAX_SIZE));
        }
        String chunkId = UUID.randomUUID().toString();
        int count = (bytes.length + CHUNK_SIZE - 1) / CHUNK_SIZE;
        head.put(Attributes.CHUNK_ID, AttributeValue.fromS(chunkId));
        head.put(Attributes.CHUNKS, Values.number(count));
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, AttributeValue> item = new HashMap<>(Keys.chunk(digest, chunkId, i));
            int end = Math.min(bytes.length, (i + 1) * CHUNK_SIZE);
            item.put(Attributes.DATA, Values.bytes(Arrays.copyOfRange(bytes, i * CHUNK_SIZE, end)));
            item.put(Attributes.GONE_AFTER, Values.get(head, Attributes.GONE_AFTER));
            writes.add(table.client()
                    .putItem(request -> request.tableName(table.name()).item(item)));
        }
        return CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new));
    }

    /** The cell of a head item, with its whole outcome. */
    CompletionStage<@Nullable Cell> read(@Nullable Map<String, AttributeValue> item, Instant now) {
        Cell cell = item == null ? null : readHead(item, now);
        if (item == null || cell == null || cell.key() == null || !item.containsKey(Attributes.CHUNK_ID)) {
            return CompletableFuture.completedFuture(cell);
        }
        StoredKey key = cell.key();
        return readChunks(item)
                .thenApply(outcome ->
                        new Cell(cell.version(), cell.token(), key.withOutcome(outcome), cell.removableAt()));
    }

    /**
     * The cell of a head item, without the payload of a large outcome. Once DynamoDB may have begun to remove its items, in
     * any order, only the token counts.
     */
    Cell readHead(Map<String, AttributeValue> item, Instant now) {
        Instant goneAfter = item.containsKey(Attributes.GONE_AFTER)
                ? Instant.ofEpochSecond(Values.number(item, Attributes.GONE_AFTER))
                : null;
        AttributeValue data = item.get(Attributes.DATA);
        boolean gone = goneAfter != null && !now.isBefore(goneAfter);
        return new Cell(
                Values.number(item, Attributes.VERSION),
                Values.number(item, Attributes.TOKEN),
                gone || data == null ? null : StoredKeyBytes.decode(data.b().asByteArrayUnsafe()),
                goneAfter);
    }

    private CompletionStage<Outcome> readChunks(Map<String, AttributeValue> head) {
        KeyDigest digest = Keys.digest(head);
        String chunkId = Values.get(head, Attributes.CHUNK_ID).s();
        List<CompletableFuture<byte[]>> reads = new ArrayList<>();
        for (int i = 0; i < Values.number(head, Attributes.CHUNKS); i++) {
            reads.add(chunk(digest, chunkId, i));
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).thenApply(done -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            reads.forEach(read -> bytes.writeBytes(read.join()));
            return OutcomeBytes.decode(bytes.toByteArray());
        });
    }

    private CompletableFuture<byte[]> chunk(KeyDigest digest, String chunkId, int number) {
        return table.client()
                .getItem(request -> request.tableName(table.name())
                        .key(Keys.chunk(digest, chunkId, number))
                        .consistentRead(true))
                .thenApply(response -> {
                    AttributeValue data = response.item().get(Attributes.DATA);
                    if (data == null) {
                        throw new StoreException(
                                "piece " + number + " of the outcome of key " + digest + " is missing from table "
                                        + table.name() + "; it was deleted",
                                null);
                    }
                    return data.b().asByteArrayUnsafe();
                });
    }
}
