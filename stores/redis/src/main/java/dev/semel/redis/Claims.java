package dev.semel.redis;

import dev.semel.redis.Memory.Sighting;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.OutcomeBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads what {@code claim.lua} answers: a status, the bucket's term and clock, and what belongs to the status. A claim
 * that has acquired the key is answered with all of it packed, and after that the steps.
 */
final class Claims {

    private static final String ACQUIRED = "acquired";
    private static final int REST = 3;

    private Claims() {}

    /** What the process has to remember of the bucket, of a claim that was not refused. */
    static Sighting sighting(Reply reply) {
        if (reply.isPacked()) {
            return Sighting.read(reply.packed(0));
        }
        return reply.text(0).equals(ACQUIRED)
                ? Sighting.read(reply.packed(1))
                : new Sighting(reply.number(1), reply.number(2));
    }

    static Claim read(Reply reply, ClaimRequest request) {
        if (reply.isPacked()) {
            return new Claim.Acquired(lease(reply.packed(0), request), Map.of());
        }
        String status = reply.text(0);
        return switch (status) {
            case ACQUIRED -> new Claim.Acquired(lease(reply.packed(1), request), steps(reply, 2));
            case "in flight" ->
                new Claim.InFlight(Micros.duration(reply.number(REST)), Micros.duration(reply.number(REST + 1)));
            case "settled" -> settled(reply);
            case "mismatch" -> new Claim.Mismatch();
            case "unknown" -> new Claim.Unknown();
            case "expired" -> new Claim.Expired();
            default -> throw new IllegalStateException("a claim was answered with \"" + status + "\"");
        };
    }

    private static Lease lease(ByteBuffer packed, ClaimRequest request) {
        packed.position(2 * Double.BYTES);
        return new Lease(request.key().digest(), request.nonce(), (long) packed.getDouble(), packed.getInt());
    }

    /** Who and the outcome come in one piece, as they are kept: cutting it in Redis would copy the outcome once more. */
    private static Claim settled(Reply reply) {
        byte[] rest = reply.bytes(REST + 4);
        int whoLength = (int) reply.number(REST + 3);
        return new Claim.Settled(
                OutcomeBytes.decode(Arrays.copyOfRange(rest, whoLength, rest.length)),
                Micros.instant(reply.number(REST)),
                Micros.instant(reply.number(REST + 1)),
                reply.number(REST + 2),
                Who.traceId(rest));
    }

    private static Map<String, byte[]> steps(Reply reply, int from) {
        Map<String, byte[]> steps = new LinkedHashMap<>();
        for (int i = from; i < reply.size(); i += 2) {
            steps.put(reply.text(i), reply.bytes(i + 1));
        }
        return steps;
    }
}
