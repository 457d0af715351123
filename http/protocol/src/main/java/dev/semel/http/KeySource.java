package dev.semel.http;

import dev.semel.http.carrier.PathTemplate;
import dev.semel.http.json.JsonPointer;
import dev.semel.util.Text;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The source of a request's key. The client chooses it ({@link ClientHeader}, {@link NamedHeader}, {@link BodyPointer},
 * {@link GraphQlDirective}, {@link FormField}, {@link QueryParameter}), the domain has it ({@link Natural}, {@link
 * NaturalFields}, {@link PathVariables}), or it is a hash of the request ({@link BodyHash}).
 *
 * <p>The source never decides whose key it is: that is the caller's scope.
 */
public sealed interface KeySource {

    /** The client names the operation in the header that the rules name. */
    record ClientHeader() implements KeySource {}

    /** The client names the operation in this header. */
    record NamedHeader(String name) implements KeySource {

        public NamedHeader {
            Text.requireHeaderName(name);
        }
    }

    /**
     * The client names the operation in a JSON body: a string or a whole number at this JSON Pointer. A body in which two
     * readers could see different things there, such as one with duplicate members, is refused.
     */
    record BodyPointer(String pointer) implements KeySource {

        public BodyPointer {
            JsonPointer.parse(pointer);
        }
    }

    /**
     * The client names the operation in its GraphQL document, by {@code @idempotent(key: "...")} at the operation or one of its
     * fields; a variable may stand in place of the string. A document with several keys or several operations is refused.
     */
    record GraphQlDirective() implements KeySource {}

    /** The client names the operation in a field of a form (URL-encoded, in UTF-8). */
    record FormField(String field) implements KeySource {

        public FormField {
            requireNotEmpty("form field", field);
        }
    }

    /** The client names the operation in a parameter of the query. */
    record QueryParameter(String parameter) implements KeySource {

        public QueryParameter {
            requireNotEmpty("query parameter", parameter);
        }
    }

    /**
     * The variables of the path name the operation, as in {@code /orders/{order}/capture}. A request with another path, or
     * with one that services could read in several ways, is refused.
     */
    record PathVariables(String template) implements KeySource {

        public PathVariables {
            PathTemplate.parse(template);
        }
    }

    /**
     * The domain names the operation, for example by an order number. The key is stored as {@code @operation:name} if
     * that fits, so that people can find it.
     *
     * @param name the natural key, or {@code null} if the request has none: it is then refused
     */
    record Natural(Function<RequestHead, @Nullable String> name) implements KeySource {}

    /** Fields of a JSON body name the operation; a request that lacks one is refused. */
    record NaturalFields(Fields fields) implements KeySource {}

    /**
     * Equal bodies are the same operation, for clients that cannot be changed. The window in which they are is the
     * policy's retention, which begins with the first request: unlike in fixed windows, no two requests are separated by a
     * boundary that happens to lie between them.
     */
    final class BodyHash implements KeySource {

        private static final int MIN_SECRET = 16;

        private final byte[] secret;
        private final Fields fields;
        private final boolean ofTarget;
        private final @Nullable Duration bucket;

        private BodyHash(byte[] secret, Fields fields, boolean ofTarget, @Nullable Duration bucket) {
            if (secret.length < MIN_SECRET) {
                throw new IllegalArgumentException(
                        "the secret of a body hash must have at least " + MIN_SECRET + " bytes, got " + secret.length);
            }
            if (bucket != null && bucket.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException(
                        "the bucket of a body hash must be at least a second, got " + bucket);
            }
            this.secret = secret;
            this.fields = fields;
            this.ofTarget = ofTarget;
            this.bucket = bucket;
        }

        byte[] secret() {
            return secret;
        }

        /** What of a JSON body counts, for the fingerprint too unless the rules say otherwise. */
        public Fields fields() {
            return fields;
        }

        /** Whether method, path, query and content type count as well. */
        public boolean ofTarget() {
            return ofTarget;
        }

        /** How long the fixed windows are in which equal bodies are the same operation; {@code null} for none. */
        public @Nullable Duration bucket() {
            return bucket;
        }

        /** The same, of which method, path, query and content type are a part too: for an operation with several paths. */
        public BodyHash withTarget() {
            return new BodyHash(secret, fields, true, bucket);
        }

        /**
         * The same, in fixed windows of this length since 1970 by the clock of the node, such as a day in UTC: the same
         * body is a new operation in the next one. A retry across a boundary runs again. Use it for operations that the
         * domain allows once per window, and not to limit how long a body is remembered: that is the retention.
         */
        public BodyHash inBuckets(Duration length) {
            return new BodyHash(secret, fields, ofTarget, length);
        }
    }

    /**
     * The first of these sources that has a key. A request with two different keys, for example in two headers, is
     * refused. Only the last source may derive the key from the request: it then applies to clients that send no key.
     */
    record FirstOf(List<KeySource> sources) implements KeySource {

        public FirstOf {
            sources = List.copyOf(sources);
            if (sources.isEmpty()) {
                throw new IllegalArgumentException("name at least one source of keys");
            }
            for (int i = 0; i < sources.size(); i++) {
                boolean last = i == sources.size() - 1;
                if (sources.get(i) instanceof FirstOf || (!last && !KeyReader.isOfClient(sources.get(i)))) {
                    throw new IllegalArgumentException(
                            "a key that is derived from the request can only be the last of several sources,"
                                    + " because every request has one");
                }
            }
        }
    }

    static KeySource header() {
        return new ClientHeader();
    }

    static KeySource natural(Function<RequestHead, @Nullable String> name) {
        return new Natural(name);
    }

    static KeySource naturalFields(String... pointers) {
        return new NaturalFields(Fields.only(pointers));
    }

    /**
     * The hash of bodies, with no fixed windows and without the target of the request.
     *
     * @param secret stops someone who reads the store from guessing a body; the same on all nodes
     */
    static BodyHash bodyHash(byte[] secret, Fields fields) {
        return new BodyHash(secret, fields, false, null);
    }

    static KeySource firstOf(KeySource... sources) {
        return sources.length == 1 ? sources[0] : new FirstOf(List.of(sources));
    }

    /**
     * Reads sources as they are configured: {@code header}, {@code header:NAME}, {@code json:/POINTER}, {@code graphql}, {@code form:FIELD},
     * {@code query:PARAMETER}, {@code path:/orders/{order}}, {@code natural:/POINTER /POINTER}, {@code body-hash},
     * {@code body-hash:1d}.
     *
     * @param hash the source that {@code body-hash} stands for; {@code null} if there is no secret
     */
    static KeySource parse(List<String> texts, @Nullable BodyHash hash) {
        return firstOf(texts.stream().map(text -> parse(text, hash)).toArray(KeySource[]::new));
    }

    private static KeySource parse(String text, @Nullable BodyHash hash) {
        int colon = text.indexOf(':');
        String rest = text.substring(colon + 1);
        return switch (colon < 0 ? text : text.substring(0, colon + 1)) {
            case "header" -> header();
            case "header:" -> new NamedHeader(rest);
            case "json:" -> new BodyPointer(rest);
            case "graphql" -> new GraphQlDirective();
            case "form:" -> new FormField(rest);
            case "query:" -> new QueryParameter(rest);
            case "path:" -> new PathVariables(rest);
            case "natural:" -> naturalFields(rest.split(" +"));
            case "body-hash" -> requireSecret(hash);
            case "body-hash:" -> requireSecret(hash).inBuckets(bucket(rest));
            default ->
                throw new IllegalArgumentException("expected header, header:NAME, json:/POINTER, graphql, form:FIELD,"
                        + " query:PARAMETER, path:/orders/{order}, natural:/POINTER, body-hash or body-hash:1d, got \""
                        + text + "\"");
        };
    }

    private static BodyHash requireSecret(@Nullable BodyHash hash) {
        if (hash == null) {
            throw new IllegalArgumentException(
                    "body-hash needs a secret, so that someone who reads the store cannot find out"
                            + " bodies by trial, and none is set (--digest-keys of the gateway, semel.http.body-hash-secret)");
        }
        return hash;
    }

    private static Duration bucket(String text) {
        if (!text.matches("[0-9]{1,9}[smhd]")) {
            throw new IllegalArgumentException("expected body-hash:1d, :12h, :30m or :90s, got \"" + text + "\"");
        }
        long count = Long.parseLong(text.substring(0, text.length() - 1));
        return switch (text.charAt(text.length() - 1)) {
            case 's' -> Duration.ofSeconds(count);
            case 'm' -> Duration.ofMinutes(count);
            case 'h' -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    private static void requireNotEmpty(String what, String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the " + what + " that carries the key must have a name");
        }
    }
}
