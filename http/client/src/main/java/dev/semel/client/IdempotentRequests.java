package dev.semel.client;

import dev.semel.client.response.JsonMembers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The settings for an HTTP library: which requests get a key, where the key is, and how they are retried. By default
 * each {@code POST} and {@code PATCH} has a key in the header {@code Idempotency-Key}. A request that already has a key
 * keeps it.
 */
public final class IdempotentRequests {

    private final RetryPolicy retries;
    private final KeyFormat format;
    private final @Nullable String header;
    private final @Nullable String member;
    private final Set<String> methods;

    private IdempotentRequests(Builder builder) {
        this.retries = builder.retries;
        this.format = builder.format;
        this.member = builder.member;
        this.header = builder.member == null ? builder.header : null;
        this.methods = builder.methods;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Whether requests of this method get a key. */
    public boolean guards(String method) {
        return methods.contains(method);
    }

    /** The header that holds the key; empty if it is in the body. */
    public Optional<String> header() {
        return Optional.ofNullable(header);
    }

    /**
     * The key of a request: the existing one, or a new one.
     *
     * @param given the key in the header; {@code null} if there is none
     */
    public String key(@Nullable String given, byte[] body) {
        if (member == null) {
            return given == null ? format.write(OperationKeys.random()) : given;
        }
        String own = JsonMembers.read(body).get(member);
        return own == null ? OperationKeys.random() : own;
    }

    /** The body of a request with this key; the same unless the key is in the body. */
    public byte[] body(String key, byte[] body) {
        if (member == null || JsonMembers.read(body).containsKey(member)) {
            return body;
        }
        String text = new String(body, StandardCharsets.UTF_8);
        int open = text.indexOf('{');
        if (open < 0 || !text.substring(0, open).isBlank()) {
            throw new IllegalArgumentException("the key of this request must be in the member \"" + member
                    + "\", but its body is not a JSON object");
        }
        String rest = text.substring(open + 1);
        return ("{\"" + member + "\":\"" + key + '"' + (rest.strip().startsWith("}") ? "" : ",") + rest)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Whether a header identifies the caller, so that a request for the outcome needs it too. */
    public boolean identifiesCaller(String name) {
        return !name.equalsIgnoreCase(header) && !name.toLowerCase(Locale.ROOT).startsWith("content-");
    }

    /** Sends a request on the calling thread, and retries it if that is safe. */
    public <R> R send(String method, URI uri, String key, RetryLoop.Sender<R> sender) throws IOException {
        try {
            return RetryLoop.runHere(method, uri, key, retries, sender).answer().response();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted between two attempts");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    /** Sends a request, and retries it if that is safe. Cancelling the returned stage stops the retries. */
    public <R> CompletableFuture<RetryLoop.Result<R>> sendAsync(
            String method, URI uri, String key, RetryLoop.Sender<R> sender) {
        return RetryLoop.run(method, uri, key, retries, sender);
    }

    /** Makes {@link IdempotentRequests}. */
    public static final class Builder {

        private RetryPolicy retries = RetryPolicy.standard();
        private KeyFormat format = KeyFormat.QUOTED;
        private String header = "Idempotency-Key";
        private @Nullable String member;
        private Set<String> methods = Set.of("POST", "PATCH");

        private Builder() {}

        public Builder retries(RetryPolicy policy) {
            this.retries = policy;
            return this;
        }

        /** How the key is written into the header; in quotes by default. */
        public Builder format(KeyFormat keyFormat) {
            this.format = keyFormat;
            return this;
        }

        /** The name of the header that holds the key, for example {@code PayPal-Request-Id}. */
        public Builder headerName(String name) {
            this.header = name;
            return this;
        }

        /** The member of the JSON body that holds the key, for example {@code idempotency_key}, in place of a header. */
        public Builder bodyMember(String name) {
            if (!name.matches("[A-Za-z0-9_.-]+")) {
                throw new IllegalArgumentException(
                        "a member for keys consists of letters, digits and _ . -, got \"" + name + '"');
            }
            this.member = name;
            return this;
        }

        public Builder methods(String... guarded) {
            this.methods = Set.copyOf(Arrays.asList(guarded));
            return this;
        }

        public IdempotentRequests build() {
            return new IdempotentRequests(this);
        }
    }
}
