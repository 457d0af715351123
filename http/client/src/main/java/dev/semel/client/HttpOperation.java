package dev.semel.client;

import dev.semel.client.sending.SendHistory;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A logical operation: a request, and the key that names it. It has one key from the moment it is built; sending the same
 * operation again repeats it under that key.
 */
public final class HttpOperation {

    private final String method;
    private final URI uri;
    private final Map<String, List<String>> headers;
    private final byte @Nullable [] body;
    private final @Nullable InputStream stream;
    private final String key;
    private final AtomicBoolean streamed = new AtomicBoolean();
    private final SendHistory history = new SendHistory();

    private HttpOperation(Builder builder) {
        this.method = builder.method;
        this.uri = builder.uri;
        Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        builder.headers.forEach((name, values) -> copy.put(name, List.copyOf(values)));
        this.headers = copy;
        this.body = builder.stream == null ? builder.body : null;
        this.stream = builder.stream;
        this.key = builder.key == null ? OperationKeys.random() : builder.key;
    }

    public static Builder post(URI uri) {
        return of("POST", uri);
    }

    public static Builder of(String method, URI uri) {
        return new Builder(method, uri);
    }

    public String method() {
        return method;
    }

    public URI uri() {
        return uri;
    }

    public String key() {
        return key;
    }

    /** The headers by name, case-insensitive. */
    public Map<String, List<String>> headers() {
        return Collections.unmodifiableMap(headers);
    }

    /** Whether it can be sent more than once; not if its body is a stream. */
    public boolean repeatable() {
        return stream == null;
    }

    /** The state of the requests that were sent for this operation. */
    SendHistory history() {
        return history;
    }

    byte @Nullable [] body() {
        return body;
    }

    /** The body to send; a stream can only be read once. */
    BodyPublisher publisher() {
        InputStream once = stream;
        if (once != null) {
            if (!streamed.compareAndSet(false, true)) {
                throw new BodyNotRepeatableException(toString());
            }
            return BodyPublishers.ofInputStream(() -> once);
        }
        return body == null || body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
    }

    @Override
    public String toString() {
        return method + " " + uri;
    }

    /** Builds an {@link HttpOperation}. */
    public static final class Builder {

        private final String method;
        private final URI uri;
        private final Map<String, List<String>> headers = new LinkedHashMap<>();
        private byte[] body = {};
        private @Nullable InputStream stream;
        private @Nullable String key;

        private Builder(String method, URI uri) {
            if (uri.getScheme() == null || uri.getHost() == null) {
                throw new IllegalArgumentException(
                        "the address of an operation starts with http:// or https:// and a host, got " + uri);
            }
            this.method = method;
            this.uri = uri;
        }

        /** The key: your own, or one from {@link OperationKeys}; by default a random one. */
        public Builder key(String key) {
            this.key = OperationKeys.valid(key);
            return this;
        }

        public Builder header(String name, String value) {
            headers.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
            return this;
        }

        public Builder body(byte[] bytes) {
            this.body = bytes.clone();
            this.stream = null;
            return this;
        }

        /** A body of text, in UTF-8. */
        public Builder body(String text) {
            return body(text.getBytes(StandardCharsets.UTF_8));
        }

        /** A body of JSON. */
        public Builder json(String text) {
            return header("Content-Type", "application/json").body(text);
        }

        /**
         * A body that is read while it is sent, and only once. Such an operation is never retried, and cannot be kept
         * in a journal.
         */
        public Builder body(InputStream stream) {
            this.stream = stream;
            return this;
        }

        public HttpOperation build() {
            return new HttpOperation(this);
        }
    }
}
