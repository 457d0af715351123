package dev.semel.redis;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.redis.Lane.Reply;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardedCall;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.life.OutcomeBytes;
import dev.semel.spi.life.StoredKey;
import dev.semel.util.Micros;
import dev.semel.util.Threads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the calls on single keys, those that come at the same time in one command: see {@code keys.lua}. */
final class Batches implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Batches.class);
    private static final int TICK_MILLIS = 50;
    private static final long WAITING_BYTES = 64L << 20;
    private static final int OWNER_LENGTH = 24;
    private static final byte[] NOTHING = {};
    // A longer batch would hold up the other callers of Redis for longer.
    private static final int MOST_CALLS = 64;
    private static final int MOST_BYTES = 64 * 1024;

    /** Calls of one queue wait for each other, and never for those of another: a renewal must not wait for claims. */
    private enum Queue {
        WRITES,
        RENEWALS,
        READS
    }

    private record Part(char kind, KeyDigest digest, byte[] head, byte[] body) {

        int bucket() {
            return Names.bucketOf(digest);
        }
    }

    private final Scripts scripts;
    private final Memory memory;
    private final List<Lane<Part>> lanes = new ArrayList<>();
    private final ScheduledThreadPoolExecutor deadlines =
            new ScheduledThreadPoolExecutor(1, Threads.daemons("semel-redis-deadlines"));

    /** @param waiting the most calls of one queue that wait */
    Batches(Scripts scripts, Memory memory, int waiting, Duration timeout) {
        this.scripts = scripts;
        this.memory = memory;
        int count = scripts.server().lanes;
        for (Queue queue : Queue.values()) {
            // The number of renewals is bounded by the leases of this node.
            boolean bounded = queue != Queue.RENEWALS;
            int room = bounded ? Math.max(1, waiting / count) : Integer.MAX_VALUE;
            long bytes = bounded ? WAITING_BYTES / count : Long.MAX_VALUE;
            Lane.Limits limits = new Lane.Limits(room, bytes, MOST_CALLS, MOST_BYTES, timeout);
            String name = queue.name().toLowerCase(Locale.ROOT);
            IntStream.range(0, count).forEach(lane -> lanes.add(new Lane<>(name, limits, transport(queue, lane))));
        }
        deadlines.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private Lane.Transport<Part> transport(Queue queue, int lane) {
        Server server = scripts.server();
        return new Lane.Transport<>(
                parts -> send(parts, queue == Queue.WRITES),
                () -> server.isConnected(lane),
                silent -> server.replaceConnection(lane, silent),
                () -> scripts.probe(lane));
    }

    /** Claims a key: the answer is the token, or the record if there is one already. */
    CompletionStage<Reply> claim(ClaimRequest request) {
        ByteBuffer lease = ByteBuffer.allocate(Double.BYTES).putDouble(Micros.of(request.lease()));
        return ask(Queue.WRITES, new Part('c', request.key().digest(), lease.array(), Records.claim(request)));
    }

    CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        ByteBuffer head = owner(lease, 1 + 3 * Double.BYTES)
                .put((byte) (outcome.isSuccess() ? 's' : 'f'))
                .putDouble(Micros.of(retention.active()))
                .putDouble(Micros.of(retention.active().plus(retention.tombstone())))
                .putDouble(Micros.of(retention.total()));
        return does(Queue.WRITES, 's', lease.digest(), head, OutcomeBytes.encode(outcome));
    }

    CompletionStage<Boolean> renew(Renewal renewal) {
        Lease lease = renewal.lease();
        ByteBuffer head = owner(lease, Double.BYTES).putDouble(Micros.of(renewal.duration()));
        return does(Queue.RENEWALS, 'r', lease.digest(), head, NOTHING);
    }

    CompletionStage<Boolean> release(Lease lease) {
        return does(Queue.WRITES, 'x', lease.digest(), owner(lease, 0), NOTHING);
    }

    CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return does(Queue.WRITES, 't', lease.digest(), owner(lease, 0), Records.step(name, result));
    }

    private static ByteBuffer owner(Lease lease, int more) {
        return Records.put(ByteBuffer.allocate(OWNER_LENGTH + more).putDouble(lease.token()), lease.nonce());
    }

    /** Finds a record. For a decision, the existing value has to be confirmed like a write. */
    CompletionStage<Reply> find(KeyDigest digest, boolean forDecision) {
        return ask(forDecision ? Queue.WRITES : Queue.READS, new Part('f', digest, NOTHING, NOTHING));
    }

    /** Writes a key, or removes it, if the record is still as it was found. */
    CompletionStage<Boolean> swap(
            KeyDigest digest, byte[] found, @Nullable StoredKey before, @Nullable StoredKey next) {
        // A new attempt is what a store that has lost its memory must not give out.
        boolean guarded = next != null && (before == null || before.token() != next.token());
        StoredKey.Settlement settlement = next == null ? null : next.settlement();
        ByteBuffer head = ByteBuffer.allocate(1 + Integer.BYTES + Records.HEAD_LENGTH + 2 * Double.BYTES)
                .put((byte) (guarded ? 1 : 0))
                .putInt(found.length)
                .put(found.length == 0 ? new byte[Records.HEAD_LENGTH] : found, 0, Records.HEAD_LENGTH)
                .putDouble(next == null ? 0 : next.token())
                .putDouble(settlement == null ? 0 : Micros.of(settlement.removableAt()));
        return does(Queue.WRITES, 'w', digest, head, next == null ? NOTHING : Records.encode(next));
    }

    private CompletionStage<Boolean> does(Queue queue, char kind, KeyDigest digest, ByteBuffer head, byte[] body) {
        return ForwardedCall.map(ask(queue, new Part(kind, digest, head.array(), body)), Reply::isDone);
    }

    /** Makes a call; once more if the store has begun another epoch that this process may follow. */
    private CompletionStage<Reply> ask(Queue queue, Part part) {
        return ForwardedCall.compose(
                add(queue, part),
                reply -> reply.isRefusal() && memory.follows(reply)
                        ? ForwardedCall.map(add(queue, part), again -> accepted(part, again))
                        : CompletableFuture.completedFuture(accepted(part, reply)));
    }

    private Reply accepted(Part part, Reply reply) {
        if (reply.isRefusal()) {
            throw memory.loss(part.bucket(), reply);
        }
        return reply;
    }

    private CompletableFuture<Reply> add(Queue queue, Part part) {
        int count = scripts.server().lanes;
        return lanes.get(queue.ordinal() * count + part.bucket() % count)
                .add(part, part.head().length + part.body().length, part.kind() == 'c');
    }

    private CompletionStage<List<Reply>> send(List<Part> parts, boolean confirmed) {
        Memory.Epoch epoch = memory.epoch();
        List<Integer> buckets = parts.stream().map(Part::bucket).distinct().toList();
        int heads = parts.stream().mapToInt(part -> 3 + part.head().length).sum();
        ByteBuffer packed = ByteBuffer.allocate(1 + Double.BYTES + buckets.size() * 2 * Double.BYTES + heads)
                .put((byte) (confirmed && scripts.replicas() > 0 ? 1 : 0))
                .putDouble(epoch.number());
        byte[][] keys = new byte[parts.size() + buckets.size()][];
        for (int i = 0; i < buckets.size(); i++) {
            packed.put(epoch.seen(buckets.get(i)));
            keys[parts.size() + i] = scripts.names().marker(buckets.get(i));
        }
        byte[][] args = new byte[parts.size() + 1][];
        args[0] = packed.array();
        Set<KeyDigest> digests = new HashSet<>();
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            packed.put((byte) part.kind())
                    .put((byte) (digests.add(part.digest()) ? 0 : 1))
                    .put((byte) (buckets.indexOf(part.bucket()) + 1))
                    .put(part.head());
            keys[i] = scripts.names().record(part.digest());
            args[i + 1] = part.body();
        }
        return scripts.batch(buckets.get(0), keys, args, confirmed).thenApply(answers -> {
            // A read may see writes that no replica has confirmed: they were not acknowledged, so they may be lost.
            if (confirmed || scripts.replicas() == 0) {
                for (int i = 0; i < buckets.size(); i++) {
                    epoch.saw(buckets.get(i), (byte[]) answers.get(parts.size() + i));
                }
            }
            long now = (Long) answers.get(keys.length);
            return answers.stream()
                    .limit(parts.size())
                    .map(answer -> new Reply(answer, now))
                    .toList();
        });
    }

    /** How many calls wait to be sent. */
    int waiting() {
        return lanes.stream().mapToInt(Lane::waiting).sum();
    }

    private void tick() {
        for (Lane<Part> lane : lanes) {
            try {
                lane.tick(System.nanoTime());
            } catch (RuntimeException e) {
                log.error("the deadlines of a lane could not be kept", e);
            }
        }
    }

    @Override
    public void close() {
        deadlines.shutdownNow();
        lanes.forEach(Lane::close);
    }
}
