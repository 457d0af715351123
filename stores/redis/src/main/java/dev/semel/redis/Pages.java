package dev.semel.redis;

import dev.semel.KeyDigest;
import dev.semel.spi.ForwardedCall;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Lists keys, bucket by bucket, and in each in the order of its index. The work for a page is bounded: what a filter leaves out
 * counts as well.
 */
record Pages(Scripts scripts) {

    private static final int LEAST_WORK = 100;

    /** What one call lists: more would hold up the other callers of Redis for longer. */
    static final int AT_ONCE = 250;

    /** A place in the order of all keys; without a digest it is the beginning of the bucket. */
    private record Place(int bucket, String score, String digest) {

        static Place startOf(int bucket) {
            return new Place(bucket, "", "");
        }

        static Place parse(@Nullable String cursor) {
            String[] parts = cursor == null ? new String[] {"0"} : cursor.split(":");
            try {
                int bucket = Integer.parseInt(parts[0]);
                if (bucket >= 0 && bucket < Names.BUCKETS && (parts.length == 1 || parts.length == 3)) {
                    return parts.length == 1
                            ? startOf(bucket)
                            : new Place(
                                    bucket,
                                    Long.toString(Long.parseLong(parts[1])),
                                    KeyDigest.parse(parts[2]).toString());
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("\"" + cursor + "\" is no cursor of a store in Redis", e);
            }
            throw new IllegalArgumentException("\"" + cursor + "\" is no cursor of a store in Redis");
        }

        String cursor() {
            return digest.isEmpty() ? Integer.toString(bucket) : bucket + ":" + score + ":" + digest;
        }
    }

    private record Entry(Place place, @Nullable StoredKey key) {}

    /** Some keys of a bucket, how many it has, and for how many microseconds the oldest has been due to be purged. */
    record Listing(Moment moment, long open, long settled, long lag, boolean more, List<Entry> entries) {

        List<StoredKey> keys() {
            List<StoredKey> keys = new ArrayList<>();
            for (Entry entry : entries) {
                if (entry.key() != null) {
                    keys.add(entry.key());
                }
            }
            return keys;
        }
    }

    /** Some keys of all that are in a bucket, without their outcomes. */
    CompletionStage<Listing> sample(int bucket, boolean open) {
        return list(Place.startOf(bucket), open ? "open" : "settled", AT_ONCE, true);
    }

    private CompletionStage<Listing> list(Place after, String which, int limit, boolean sample) {
        int bucket = after.bucket();
        Object[] args = {which, limit, sample ? 1 : 0, after.score(), after.digest()};
        return Stages.map(
                scripts.run("list", bucket, after.digest().isEmpty() ? Arrays.copyOf(args, 3) : args), answer -> {
                    List<Entry> entries = new ArrayList<>();
                    for (int i = 5; i < answer.size(); i += 3) {
                        Place place = new Place(bucket, text(answer.get(i)), text(answer.get(i + 1)));
                        entries.add(new Entry(place, Records.decode((byte[]) answer.get(i + 2))));
                    }
                    return new Listing(
                            Moment.of(Micros.instant((Long) answer.get(0))),
                            (Long) answer.get(1),
                            (Long) answer.get(2),
                            (Long) answer.get(3),
                            (Long) answer.get(4) == 1,
                            entries);
                });
    }

    CompletionStage<KeyPage> page(KeyQuery query) {
        return page(query, Place.parse(query.cursor()), Math.max(query.limit(), LEAST_WORK), new ArrayList<>());
    }

    private CompletionStage<KeyPage> page(KeyQuery query, Place after, int work, List<KeyRecord> matching) {
        return ForwardedCall.compose(list(after, which(query), Math.min(work, AT_ONCE), false), listing -> {
            List<Entry> entries = listing.entries();
            for (int i = 0; i < entries.size(); i++) {
                StoredKey key = entries.get(i).key();
                if (key != null && query.matches(key.toRecord(listing.moment()))) {
                    matching.add(key.toRecord(listing.moment()));
                }
                if (matching.size() == query.limit() && (i < entries.size() - 1 || listing.more())) {
                    return done(matching, entries.get(i).place());
                }
            }
            Place next = listing.more()
                    ? entries.get(entries.size() - 1).place()
                    : after.bucket() + 1 < Names.BUCKETS ? Place.startOf(after.bucket() + 1) : null;
            int left = work - entries.size();
            return next == null || left <= 0 || matching.size() == query.limit()
                    ? done(matching, next)
                    : page(query, next, left, matching);
        });
    }

    private static CompletionStage<KeyPage> done(List<KeyRecord> matching, @Nullable Place next) {
        return CompletableFuture.completedFuture(new KeyPage(matching, next == null ? null : next.cursor()));
    }

    private static String which(KeyQuery query) {
        if (query.state() == null) {
            return "all";
        }
        return switch (query.state()) {
            case PENDING, LAPSED, UNKNOWN -> "open";
            case SUCCEEDED, FAILED, EXPIRED -> "settled";
        };
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.US_ASCII);
    }
}
