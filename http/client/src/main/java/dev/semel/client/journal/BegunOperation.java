package dev.semel.client.journal;

import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An operation in the file that was started and has no answer yet.
 *
 * @param headers its headers, without those that are secret
 * @param withheld the names of the secret ones
 * @param body not a copy: it must not be changed
 * @param expires until when the server keeps the key, where it said so
 */
public record BegunOperation(
        String key,
        Instant since,
        String method,
        URI uri,
        Map<String, List<String>> headers,
        Set<String> withheld,
        byte[] body,
        @Nullable Instant expires) {

    /** Creates the entry of an operation that begins; leaves out headers that must not be written to a file. */
    public static BegunOperation of(
            String key,
            Instant since,
            String method,
            URI uri,
            Map<String, List<String>> headers,
            byte[] body,
            SecretHeaders secrets) {
        Map<String, List<String>> kept = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Set<String> withheld = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> {
            if (secrets.contains(name)) {
                withheld.add(name);
            } else {
                kept.put(name, values);
            }
        });
        return new BegunOperation(key, since, method, uri, kept, withheld, body, null);
    }

    public BegunOperation expiringAt(Instant published) {
        return new BegunOperation(key, since, method, uri, headers, withheld, body, published);
    }

    public boolean sameRequest(BegunOperation other) {
        return method.equals(other.method) && uri.equals(other.uri) && Arrays.equals(body, other.body);
    }

    @Override
    public String toString() {
        return method + " " + uri + " with key " + key;
    }
}
