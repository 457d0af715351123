package dev.semel.redis;

import dev.semel.KeyDigest;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What a store's data is called in Redis.
 *
 * <p>A key belongs to one of 16 buckets, by the first bits of its digest. A bucket has a hash tag, so that its marker,
 * its index and its records are in one slot of a Cluster. The tags are chosen so that the buckets are spread evenly over
 * the slots, and every node of a Cluster gets its share.
 */
final class Names {

    static final int BUCKETS = 16;

    private static final int BITS_BELOW = Long.SIZE - Integer.numberOfTrailingZeros(BUCKETS);
    private static final int SLOTS_PER_BUCKET = SlotHash.SLOT_COUNT / BUCKETS;
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final String[] TAGS = tags();

    private final byte[][] markers = new byte[BUCKETS][];
    private final String[] records = new String[BUCKETS];

    Names(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "the prefix of a store in Redis must match " + PREFIX + ", got \"" + prefix + "\"");
        }
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            String start = prefix + ":{" + TAGS[bucket] + "}:";
            markers[bucket] = ascii(start + "marker-4");
            records[bucket] = start;
        }
    }

    /** The smallest numbers whose slots are spread like this; stored data depends on them. */
    private static String[] tags() {
        String[] tags = new String[BUCKETS];
        int found = 0;
        for (int number = 0; found < BUCKETS; number++) {
            String tag = Integer.toString(number);
            int bucket = SlotHash.getSlot(tag) / SLOTS_PER_BUCKET;
            if (tags[bucket] == null) {
                tags[bucket] = tag;
                found++;
            }
        }
        return tags;
    }

    static int bucketOf(KeyDigest digest) {
        return (int) (digest.high() >>> BITS_BELOW);
    }

    static int slotOf(int bucket) {
        return SlotHash.getSlot(TAGS[bucket]);
    }

    byte[] marker(int bucket) {
        return markers[bucket];
    }

    byte[] record(KeyDigest digest) {
        return ascii(records[bucketOf(digest)] + digest);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
