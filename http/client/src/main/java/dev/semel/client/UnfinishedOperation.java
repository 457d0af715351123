package dev.semel.client;

import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An operation that was begun and has no answer yet, as a journal knows it. */
public final class UnfinishedOperation {

    private final String key;
    private final Instant since;
    private final String method;
    private final URI uri;
    private final Map<String, List<String>> headers;
    private final Set<String> withheld;
    private final byte[] body;
    private final @Nullable Instant expires;

    UnfinishedOperation(
            String key,
            Instant since,
            String method,
            URI uri,
            Map<String, List<String>> headers,
            Set<String> withheld,
            byte[] body,
            @Nullable Instant expires) {
        this.key = key;
        this.since = since;
        this.method = method;
        this.uri = uri;
        this.headers = headers;
        this.withheld = withheld;
        this.body = body;
        this.expires = expires;
    }

    static UnfinishedOperation of(Operation operation, byte[] body, SecretHeaders secrets, Instant since) {
        Map<String, List<String>> kept = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Set<String> withheld = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        operation.headers().forEach((name, values) -> {
            if (secrets.contains(name)) {
                withheld.add(name);
            } else {
                kept.put(name, values);
            }
        });
        return new UnfinishedOperation(
                operation.key(), since, operation.method(), operation.uri(), kept, withheld, body, null);
    }

    UnfinishedOperation expiringAt(Instant published) {
        return new UnfinishedOperation(key, since, method, uri, headers, withheld, body, published);
    }

    public String key() {
        return key;
    }

    /** When it was first sent. */
    public Instant since() {
        return since;
    }

    /** Until when the server keeps the key, where it said so. */
    @Nullable
    Instant expires() {
        return expires;
    }

    public String method() {
        return method;
    }

    public URI uri() {
        return uri;
    }

    /** Its headers, without those that are secret. */
    public Map<String, List<String>> headers() {
        return headers;
    }

    /** The names of the headers that were not kept because they are secret, such as {@code Authorization}. */
    public Set<String> withheldHeaders() {
        return withheld;
    }

    public byte[] body() {
        return body.clone();
    }

    /**
     * The same operation, to be sent again under the same key.
     *
     * @param secrets values for all {@linkplain #withheldHeaders() withheld headers}; a refreshed token will do, if it
     *     belongs to the same caller
     */
    public Operation resume(Map<String, String> secrets) {
        Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        given.putAll(secrets);
        if (!given.keySet().containsAll(withheld)) {
            throw new IllegalArgumentException("to resume " + this
                    + ", give the headers that the journal does not keep: " + String.join(", ", withheld));
        }
        Operation.Builder operation = Operation.of(method, uri).key(key).body(body);
        headers.forEach((name, values) -> values.forEach(value -> operation.header(name, value)));
        given.forEach(operation::header);
        return operation.build();
    }

    boolean sameRequest(UnfinishedOperation other) {
        return method.equals(other.method) && uri.equals(other.uri) && Arrays.equals(body, other.body);
    }

    @Override
    public String toString() {
        return method + " " + uri + " with key " + key;
    }
}
