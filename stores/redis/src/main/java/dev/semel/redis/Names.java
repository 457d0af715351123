package dev.semel.redis;

import dev.semel.KeyDigest;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The names of a store's data in Redis.
 *
 * <p>A key belongs to one of 16 buckets, by the first bits of its digest. A bucket has a hash tag, so that its marker,
 * its index and its records are in one slot of a Cluster. The tags are chosen so that the buckets are spread evenly over
 * the slots, and every node of a Cluster gets its share. Stored data depends on them.
 */
record Names(String prefix) {

    static final int BUCKETS = 16;

    private static final String[] TAGS = "10 3 61 43 11 2 60 42 12 1 63 41 13 0 62 40".split(" ");
    private static final int BITS_BELOW = Long.SIZE - Integer.numberOfTrailingZeros(BUCKETS);
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    Names {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "the prefix of a store in Redis must match " + PREFIX + ", got \"" + prefix + "\"");
        }
    }

    static int bucketOf(KeyDigest digest) {
        return (int) (digest.high() >>> BITS_BELOW);
    }

    static int slotOf(int bucket) {
        return SlotHash.getSlot(TAGS[bucket]);
    }

    byte[] marker(int bucket) {
        return name(bucket, "marker-4");
    }

    byte[] record(KeyDigest digest) {
        return name(bucketOf(digest), digest.toString());
    }

    private byte[] name(int bucket, String rest) {
        return (prefix + ":{" + TAGS[bucket] + "}:" + rest).getBytes(StandardCharsets.US_ASCII);
    }
}
