package dev.semel.client;

import dev.semel.client.journal.BegunOperation;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** An operation in a journal that was started and has no answer yet. */
public final class UnfinishedOperation {

    private final BegunOperation begun;

    UnfinishedOperation(BegunOperation begun) {
        this.begun = begun;
    }

    public String key() {
        return begun.key();
    }

    /** When it was first sent. */
    public Instant since() {
        return begun.since();
    }

    public String method() {
        return begun.method();
    }

    public URI uri() {
        return begun.uri();
    }

    /** Its headers, without those that are secret. */
    public Map<String, List<String>> headers() {
        return begun.headers();
    }

    /** The names of the secret headers that were not stored, such as {@code Authorization}. */
    public Set<String> withheldHeaders() {
        return begun.withheld();
    }

    public byte[] body() {
        return begun.body().clone();
    }

    /**
     * Creates the operation again, with the same key, to send it.
     *
     * @param secrets values for all {@linkplain #withheldHeaders() withheld headers}; a refreshed token will do, if it
     *     belongs to the same caller
     */
    public HttpOperation resume(Map<String, String> secrets) {
        Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        given.putAll(secrets);
        if (!given.keySet().containsAll(withheldHeaders())) {
            throw new IllegalArgumentException("to resume " + this
                    + ", pass the headers that the journal does not keep: " + String.join(", ", withheldHeaders()));
        }
        HttpOperation.Builder operation =
                HttpOperation.of(method(), uri()).key(key()).body(begun.body());
        headers().forEach((name, values) -> values.forEach(value -> operation.header(name, value)));
        given.forEach(operation::header);
        return operation.build();
    }

    @Override
    public String toString() {
        return begun.toString();
    }
}
