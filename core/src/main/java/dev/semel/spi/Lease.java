package dev.semel.spi;

import dev.semel.KeyDigest;
import java.util.UUID;

/**
 * The right of one attempt to write to a key.
 *
 * @param nonce the attempt's own, from its {@link ClaimRequest}
 * @param token the fencing token, larger than that of every earlier lease of the key; every write is conditional on it,
 *     and not on the nonce alone: a copy of a claim that was under way for long may win the key a second time
 * @param attempt the number of the attempt: 1 for the first, and one more for each takeover of a lapsed lease
 */
public record Lease(KeyDigest digest, UUID nonce, long token, int attempt) {}
