package dev.semel.gateway.triage;

import dev.semel.KeyDigest;

/**
 * A decision about one key.
 *
 * @param token the fencing token that the key was seen with: if the key has changed since, nothing is done
 */
public record DecisionRequest(KeyDigest digest, long token, Decision decision) {}
