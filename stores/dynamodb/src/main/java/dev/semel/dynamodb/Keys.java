package dev.semel.dynamodb;

import dev.semel.KeyDigest;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The primary keys of a table's items. */
final class Keys {

    private Keys() {}

    static Map<String, AttributeValue> head(KeyDigest digest) {
        return of(digest, Attributes.HEAD);
    }

    /** Piece {@code number} of a large outcome. */
    static Map<String, AttributeValue> chunk(KeyDigest digest, String chunkId, int number) {
        return of(digest, Attributes.CHUNK + "#" + chunkId + "#" + number);
    }

    private static Map<String, AttributeValue> of(KeyDigest digest, String part) {
        return Map.of(
                Attributes.KEY, AttributeValue.fromS(digest.toString()), Attributes.PART, AttributeValue.fromS(part));
    }

    static KeyDigest digest(Map<String, AttributeValue> item) {
        return KeyDigest.parse(Values.get(item, Attributes.KEY).s());
    }

    /** The primary key of an item as text. */
    static String print(Map<String, AttributeValue> item) {
        return Values.get(item, Attributes.KEY).s() + "/"
                + Values.get(item, Attributes.PART).s();
    }

    /** Reads the form that {@link #print} returns. */
    static Map<String, AttributeValue> parse(String text) {
        String[] parts = text.split("/", 2);
        if (parts.length != 2) {
            throw new IllegalArgumentException("\"" + text + "\" is not a cursor of a store in DynamoDB");
        }
        return of(KeyDigest.parse(parts[0]), parts[1]);
    }

    /** The shard of a key in the index of open keys, which spreads the load. */
    static String openShard(KeyDigest digest) {
        return digest.toString().substring(0, 1);
    }
}
