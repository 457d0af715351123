package dev.semel.redis;

import dev.semel.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * A place in the order of all keys: the buckets one after the other, and in each the order of its index. Without a
 * digest it is the beginning of the bucket.
 */
record Place(int bucket, String score, @Nullable KeyDigest digest) {

    static Place startOf(int bucket) {
        return new Place(bucket, "", null);
    }

    static Place parse(@Nullable String cursor) {
        if (cursor == null) {
            return startOf(0);
        }
        String[] parts = cursor.split(":");
        try {
            int bucket = Integer.parseInt(parts[0]);
            if (bucket >= 0 && bucket < Names.BUCKETS) {
                return parts.length == 1
                        ? startOf(bucket)
                        : new Place(bucket, Long.toString(Long.parseLong(parts[1])), KeyDigest.parse(parts[2]));
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new IllegalArgumentException("\"" + cursor + "\" is no cursor of a store in Redis", e);
        }
        throw new IllegalArgumentException("\"" + cursor + "\" is no cursor of a store in Redis");
    }

    String cursor() {
        return digest == null ? Integer.toString(bucket) : bucket + ":" + score + ":" + digest;
    }
}
