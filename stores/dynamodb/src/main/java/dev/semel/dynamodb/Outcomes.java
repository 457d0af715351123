package dev.semel.dynamodb;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.PayloadTooLargeException;
import dev.semel.StoreException;
import dev.semel.spi.OutcomeBytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Keeps outcomes: a small one in the head item, a large one in pieces beside it, because an item has at most 400 KB.
 *
 * <p>The pieces are written before the head item refers to them, under a name that is used only once, so that nobody
 * sees half an outcome or two mixed up. Pieces that nobody came to refer to go when their time to live ends.
 */
final class Outcomes {

    /** The head item also holds the steps and the history. */
    private static final int INLINE = 128 << 10;

    private static final int CHUNK = 384 << 10;
    static final int MAX_SIZE = 16 << 20;
    private static final String DATA = "data";

    private final Table table;

    Outcomes(Table table) {
        this.table = table;
    }

    /** Writes what does not fit into the head item, and returns the attributes that do. */
    CompletionStage<Map<String, AttributeValue>> write(KeyDigest digest, Outcome outcome, long goneAfter) {
        byte[] bytes = OutcomeBytes.encode(outcome);
        if (bytes.length <= INLINE) {
            return CompletableFuture.completedFuture(Map.of(Attributes.OUTCOME, Values.bytes(bytes)));
        }
        if (bytes.length > MAX_SIZE) {
            byte[] payload = outcome.payload();
            return CompletableFuture.failedFuture(
                    new PayloadTooLargeException(payload == null ? bytes.length : payload.length, MAX_SIZE));
        }
        String chunkId = UUID.randomUUID().toString();
        List<CompletableFuture<?>> writes = new ArrayList<>();
        int count = (bytes.length + CHUNK - 1) / CHUNK;
        for (int i = 0; i < count; i++) {
            Map<String, AttributeValue> item = new HashMap<>(Keys.chunk(digest, chunkId, i));
            item.put(DATA, Values.bytes(Arrays.copyOfRange(bytes, i * CHUNK, Math.min(bytes.length, (i + 1) * CHUNK))));
            item.put(Attributes.GONE_AFTER, Values.number(goneAfter));
            writes.add(table.client()
                    .putItem(request -> request.tableName(table.name()).item(item)));
        }
        return CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        Map.of(Attributes.CHUNK_ID, Values.text(chunkId), Attributes.CHUNKS, Values.number(count)));
    }

    CompletionStage<Outcome> read(Item item) {
        AttributeValue inline = item.attributes().get(Attributes.OUTCOME);
        if (inline != null) {
            return CompletableFuture.completedFuture(
                    OutcomeBytes.decode(inline.b().asByteArrayUnsafe()));
        }
        String chunkId = item.text(Attributes.CHUNK_ID);
        List<CompletableFuture<byte[]>> reads = new ArrayList<>();
        for (int i = 0; i < item.number(Attributes.CHUNKS); i++) {
            reads.add(chunk(item.digest(), chunkId, i));
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
                    AttributeValue data = response.item().get(DATA);
                    if (data == null) {
                        throw new StoreException(
                                "piece " + number + " of the outcome of key " + digest + " is missing from table "
                                        + table.name() + "; somebody has deleted it",
                                null);
                    }
                    return data.b().asByteArrayUnsafe();
                });
    }
}
