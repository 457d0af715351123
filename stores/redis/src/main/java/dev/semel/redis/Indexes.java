package dev.semel.redis;

import dev.semel.KeyDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** Reads the indexes of the buckets. */
final class Indexes {

    /** Which keys of a bucket. */
    enum Which {
        OPEN("open"),
        SETTLED("settled"),
        ALL("all");

        private final String lua;

        Which(String lua) {
            this.lua = lua;
        }
    }

    /** How many keys a bucket has, and for how many microseconds the oldest has been due to be purged. */
    record Count(int bucket, long now, long open, long settled, long lag) {

        long of(Which which) {
            return switch (which) {
                case OPEN -> open;
                case SETTLED -> settled;
                case ALL -> open + settled;
            };
        }
    }

    private final Scripts scripts;
    private final Names names;

    Indexes(Scripts scripts, Names names) {
        this.scripts = scripts;
        this.names = names;
    }

    CompletionStage<List<Count>> count(int fromBucket) {
        return Stages.all(IntStream.range(fromBucket, Names.BUCKETS)
                .mapToObj(bucket -> scripts.run(Call.SURVEY, bucket, marker(bucket), new Args())
                        .thenApply(reply ->
                                new Count(bucket, reply.number(0), reply.number(1), reply.number(2), reply.number(3))))
                .toList());
    }

    /** At most {@code limit} keys of the place's bucket, behind that place. */
    CompletionStage<List<Place>> list(Place after, Which which, int limit) {
        Args args = new Args().add(which.lua).add(limit);
        if (after.digest() != null) {
            args.add(after.score()).add(after.digest().toString());
        }
        return scripts.run(Call.LIST, after.bucket(), marker(after.bucket()), args)
                .thenApply(reply -> {
                    List<Place> places = new ArrayList<>();
                    for (int i = 0; i < reply.size(); i += 2) {
                        places.add(new Place(after.bucket(), reply.text(i + 1), KeyDigest.parse(reply.text(i))));
                    }
                    return places;
                });
    }

    /** At most {@code limit} keys that are due to be purged. */
    CompletionStage<List<KeyDigest>> due(int bucket, int limit) {
        return scripts.run(Call.DUE, bucket, marker(bucket), new Args().add(limit))
                .thenApply(reply -> IntStream.range(0, reply.size())
                        .mapToObj(i -> KeyDigest.parse(reply.text(i)))
                        .toList());
    }

    /** Removes those of a bucket's keys that are due; returns how many it were. */
    CompletionStage<Long> purge(int bucket, List<KeyDigest> digests) {
        List<byte[]> keys = new ArrayList<>();
        keys.add(names.marker(bucket));
        for (KeyDigest digest : digests) {
            keys.add(names.record(digest));
        }
        return scripts.run(Call.PURGE, bucket, keys.toArray(byte[][]::new), new Args())
                .thenApply(reply -> reply.number(0));
    }

    private byte[][] marker(int bucket) {
        return new byte[][] {names.marker(bucket)};
    }
}
