package dev.semel.redis;

import dev.semel.KeyDigest;
import dev.semel.redis.Memory.Sighting;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** Sends claims and settles, those that come at the same time in one command: see {@code batch.lua}. */
final class Batches {

    private static final int SIGHTING_LENGTH = 2 * Double.BYTES;

    /** One call of a batch. */
    private record Part(char kind, KeyDigest digest, byte[] head, byte[] body) {}

    private final Scripts scripts;
    private final Names names;
    private final Vigil vigil;
    private final List<Lane<Part>> lanes = new ArrayList<>();

    Batches(Scripts scripts, Lanes lanes, Names names, Vigil vigil) {
        this.scripts = scripts;
        this.names = names;
        this.vigil = vigil;
        for (int lane = 0; lane < lanes.count(); lane++) {
            this.lanes.add(lanes.open("claim and settle", lanes.batches(), transport(lane)));
        }
    }

    private Lane.Transport<Part> transport(int bucket) {
        return new Lane.Transport<>() {
            @Override
            public CompletionStage<List<Reply>> send(List<Part> parts) {
                return Batches.this.send(parts);
            }

            @Override
            public boolean isConnected() {
                return scripts.isConnected(bucket);
            }

            @Override
            public void replaceConnection(BooleanSupplier silent) {
                scripts.replaceConnection(bucket, silent);
            }

            @Override
            public CompletionStage<?> probe() {
                return scripts.probe(bucket);
            }
        };
    }

    /** A claim ({@code c}) or a settle ({@code s}), with its head and its body. */
    CompletionStage<Reply> add(char kind, KeyDigest digest, Args args) {
        int bucket = Names.bucketOf(digest);
        byte[][] parts = args.toArray();
        Part part = new Part(kind, digest, parts[0], parts[1]);
        return lanes.get(bucket % lanes.size()).add(part, part.body().length, kind == 'c');
    }

    private CompletionStage<List<Reply>> send(List<Part> parts) {
        Memory memory = vigil.memory();
        List<Integer> buckets = new ArrayList<>();
        int heads = 1 + Double.BYTES;
        for (Part part : parts) {
            int bucket = Names.bucketOf(part.digest());
            if (!buckets.contains(bucket)) {
                buckets.add(bucket);
            }
            heads += 3 + part.head().length;
        }
        ByteBuffer packed = ByteBuffer.allocate(heads + buckets.size() * SIGHTING_LENGTH)
                .put((byte) (scripts.waitsForReplicas() ? 1 : 0))
                .putDouble(memory.epoch());
        byte[][] keys = new byte[parts.size() + buckets.size()][];
        for (int i = 0; i < buckets.size(); i++) {
            Sighting seen = memory.seen(buckets.get(i));
            packed.putDouble(seen.term()).putDouble(seen.clock());
            keys[parts.size() + i] = names.marker(buckets.get(i));
        }
        byte[][] args = new byte[parts.size() + 1][];
        Set<KeyDigest> digests = new HashSet<>();
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            packed.put((byte) part.kind())
                    .put((byte) (digests.add(part.digest()) ? 0 : 1))
                    .put((byte) (buckets.indexOf(Names.bucketOf(part.digest())) + 1))
                    .put(part.head());
            keys[i] = names.record(part.digest());
            args[i + 1] = part.body();
        }
        args[0] = packed.array();
        return scripts.send(Call.BATCH, buckets.get(0), keys, args).thenApply(answers -> {
            for (int i = 0; i < buckets.size(); i++) {
                ByteBuffer seen = ByteBuffer.wrap((byte[]) answers.get(parts.size() + i));
                memory.saw(buckets.get(i), Sighting.read(seen));
            }
            return answers.subList(0, parts.size()).stream().map(Reply::of).toList();
        });
    }
}
