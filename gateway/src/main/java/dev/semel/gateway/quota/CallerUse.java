package dev.semel.gateway.quota;

/**
 * The use of this gateway by a caller at one moment.
 *
 * @param caller its scope, as stored with its keys
 * @param requests how many it has sent since the gateway remembers it
 * @param refused how many of them were over a limit
 * @param keys how many of its keys this gateway has stored and the store still keeps
 * @param bytes how much the responses of those keys take
 * @param unknown how many of its keys are unknown, from all gateways
 * @param share its share of the limit that it is closest to, from 0 to 1
 */
public record CallerUse(
        String caller,
        int inFlight,
        long buffered,
        long requests,
        long refused,
        long keys,
        long bytes,
        long unknown,
        double share) {}
