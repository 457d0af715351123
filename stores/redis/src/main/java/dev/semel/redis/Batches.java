package dev.semel.redis;

import dev.semel.KeyDigest;
import dev.semel.redis.Lane.Ticket;
import dev.semel.redis.Memory.Sighting;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Sends claims and settles, those that come at the same time in one command: see {@code batch.lua}. */
final class Batches {

    private static final int SIGHTING_LENGTH = 2 * Double.BYTES;

    private final Scripts scripts;
    private final Names names;
    private final Vigil vigil;
    private final Lane[] lanes;

    Batches(Scripts scripts, Names names, Vigil vigil) {
        this.scripts = scripts;
        this.names = names;
        this.vigil = vigil;
        this.lanes = new Lane[scripts.lanes()];
        Arrays.setAll(lanes, lane -> new Lane(this::send));
    }

    /** A claim ({@code c}) or a settle ({@code s}), with its head and its body. */
    CompletionStage<Reply> add(char kind, KeyDigest digest, Args args) {
        int bucket = Names.bucketOf(digest);
        byte[][] parts = args.toArray();
        return lanes[bucket % lanes.length].add(new Ticket(kind, digest, parts[0], parts[1]));
    }

    private CompletionStage<List<Object>> send(List<Ticket> tickets) {
        Memory memory = vigil.memory();
        List<Integer> buckets = new ArrayList<>();
        int heads = 1 + Double.BYTES;
        for (Ticket ticket : tickets) {
            int bucket = Names.bucketOf(ticket.digest());
            if (!buckets.contains(bucket)) {
                buckets.add(bucket);
            }
            heads += 3 + ticket.head().length;
        }
        ByteBuffer packed = ByteBuffer.allocate(heads + buckets.size() * SIGHTING_LENGTH)
                .put((byte) (scripts.waitsForReplicas() ? 1 : 0))
                .putDouble(memory.epoch());
        byte[][] keys = new byte[tickets.size() + buckets.size()][];
        for (int i = 0; i < buckets.size(); i++) {
            Sighting seen = memory.seen(buckets.get(i));
            packed.putDouble(seen.term()).putDouble(seen.clock());
            keys[tickets.size() + i] = names.marker(buckets.get(i));
        }
        byte[][] args = new byte[tickets.size() + 1][];
        Set<KeyDigest> digests = new HashSet<>();
        for (int i = 0; i < tickets.size(); i++) {
            Ticket ticket = tickets.get(i);
            packed.put((byte) ticket.kind())
                    .put((byte) (digests.add(ticket.digest()) ? 0 : 1))
                    .put((byte) (buckets.indexOf(Names.bucketOf(ticket.digest())) + 1))
                    .put(ticket.head());
            keys[i] = names.record(ticket.digest());
            args[i + 1] = ticket.body();
        }
        args[0] = packed.array();
        return scripts.write(Call.BATCH, buckets.get(0), keys, args).thenApply(answers -> {
            for (int i = 0; i < buckets.size(); i++) {
                ByteBuffer seen = ByteBuffer.wrap((byte[]) answers.get(tickets.size() + i));
                memory.saw(buckets.get(i), Sighting.read(seen));
            }
            return answers.subList(0, tickets.size());
        });
    }
}
