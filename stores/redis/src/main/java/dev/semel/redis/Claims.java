package dev.semel.redis;

import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.OutcomeBytes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads what {@code claim.lua} answers: a status, the bucket's term and clock, and what belongs to the status. */
final class Claims {

    private static final int REST = 3;

    private Claims() {}

    static Claim read(Reply reply, ClaimRequest request) {
        String status = reply.text(0);
        return switch (status) {
            case "acquired" ->
                new Claim.Acquired(
                        new Lease(request.key().digest(), request.nonce(), reply.number(REST), (int)
                                reply.number(REST + 1)),
                        steps(reply, REST + 2));
            case "in flight" ->
                new Claim.InFlight(Micros.duration(reply.number(REST)), Micros.duration(reply.number(REST + 1)));
            case "settled" -> settled(reply);
            case "mismatch" -> new Claim.Mismatch();
            case "unknown" -> new Claim.Unknown();
            case "expired" -> new Claim.Expired();
            default -> throw new IllegalStateException("a claim was answered with \"" + status + "\"");
        };
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
        if (reply.size() == from) {
            return Map.of();
        }
        Map<String, byte[]> steps = new LinkedHashMap<>();
        for (int i = from; i < reply.size(); i += 2) {
            steps.put(reply.text(i), reply.bytes(i + 1));
        }
        return steps;
    }
}
