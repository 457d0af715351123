package dev.semel.torture.service;

import dev.semel.Key;
import dev.semel.torture.service.ServiceRequest.Operation;
import dev.semel.util.LengthPrefixedDigest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that a filter makes of bodies, and what clients call them: a hash cannot be read back. It is worked out here a second
 * time, independently of the filter.
 */
public final class HashedKeys {

    private static final String SECRET = "the same secret in all nodes";

    private final Map<String, String> names = new ConcurrentHashMap<>();

    /** What the hashes are made with. */
    public static byte[] secret() {
        return SECRET.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Remembers what the key of a request is called.
     *
     * @param body that of the request, without what does not count; JSON in its canonical form
     */
    public void add(Operation operation, String name, byte[] body) {
        String hash = LengthPrefixedDigest.hmacSha256(secret())
                .add(operation.policy(1))
                .add("json")
                .add(body)
                .base64Url();
        names.put(hash, name);
    }

    /** What clients call the key of a record. */
    public Key asSent(Key stored) {
        Key sent = ServiceRequest.asSent(stored);
        return Key.of(sent.scope(), names.getOrDefault(sent.value(), sent.value()));
    }
}
