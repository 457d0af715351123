package dev.semel.redis;

import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.OutcomeBytes;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads what {@code claim.lua} answers: a status and what belongs to it, or the token alone of a claim that has acquired a
 * key at the first attempt.
 */
final class Claims {

    /** What a settle adds to a record before the outcome. */
    private static final int SETTLED_LENGTH = 1 + 4 * Double.BYTES;

    private Claims() {}

    static Claim read(Reply reply, ClaimRequest request) {
        if (reply.isNumber()) {
            return new Claim.Acquired(lease(request, reply.number(0), 1), Map.of());
        }
        String status = reply.text(0);
        return switch (status) {
            case "acquired" ->
                new Claim.Acquired(lease(request, reply.number(1), (int) reply.number(2)), steps(reply, 3));
            case "in flight" -> new Claim.InFlight(Micros.duration(reply.number(1)), Micros.duration(reply.number(2)));
            case "settled" -> settled(reply);
            case "mismatch" -> new Claim.Mismatch();
            case "unknown" -> new Claim.Unknown();
            case "expired" -> new Claim.Expired();
            default -> throw new IllegalStateException("a claim was answered with \"" + status + "\"");
        };
    }

    private static Lease lease(ClaimRequest request, long token, int attempt) {
        return new Lease(request.key().digest(), request.nonce(), token, attempt);
    }

    /** Who and the outcome come in one piece, as they are kept: cutting it in Redis would copy the outcome once more. */
    private static Claim settled(Reply reply) {
        ByteBuffer rest = reply.packed(4);
        byte[] who = new byte[rest.getInt()];
        rest.get(who);
        rest.position(rest.position() + SETTLED_LENGTH);
        byte[] outcome = new byte[rest.remaining()];
        rest.get(outcome);
        return new Claim.Settled(
                OutcomeBytes.decode(outcome),
                Micros.instant(reply.number(1)),
                Micros.instant(reply.number(2)),
                reply.number(3),
                Who.traceId(who));
    }

    private static Map<String, byte[]> steps(Reply reply, int from) {
        Map<String, byte[]> steps = new LinkedHashMap<>();
        for (int i = from; i < reply.size(); i += 2) {
            steps.put(reply.text(i), reply.bytes(i + 1));
        }
        return steps;
    }
}
