package dev.semel.http;

import dev.semel.Key;
import dev.semel.http.carrier.BodyKey;
import dev.semel.http.carrier.GraphQlKey;
import dev.semel.http.carrier.Parameters;
import dev.semel.http.carrier.PathTemplate;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.fingerprint.CanonicalUri;
import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.header.IdempotencyKeyHeader;
import dev.semel.http.header.IdempotencyKeyHeader.InvalidKeyException;
import dev.semel.http.json.CanonicalJson;
import dev.semel.http.json.JsonPointer;
import dev.semel.http.key.KeyCheck;
import dev.semel.http.openapi.RulesDescription.Parameter;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.util.LengthPrefixedDigest;
import dev.semel.util.ReadableKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the value of a request's key from its {@link KeySource}. */
record KeyReader(HttpRules rules, RequestHead head) {

    /** Whether the client chooses the key, so that a request may lack one. */
    static boolean isOfClient(KeySource source) {
        return source instanceof KeySource.ClientHeader
                || source instanceof KeySource.NamedHeader
                || source instanceof KeySource.QueryParameter
                || source instanceof KeySource.BodyPointer
                || source instanceof KeySource.GraphQlDirective
                || source instanceof KeySource.FormField;
    }

    /**
     * The default fields of the fingerprint: those of a body hash, because a part that the hash ignores must not turn a
     * retry into another request.
     */
    static Fields fieldsOf(KeySource source) {
        KeySource last = source instanceof KeySource.FirstOf several
                ? several.sources().get(several.sources().size() - 1)
                : source;
        return last instanceof KeySource.BodyHash hash ? hash.fields() : Fields.all();
    }

    /** The source of keys in a dialect. */
    static KeySource source(Dialect dialect) {
        String pointer = dialect.bodyPointer();
        return pointer == null ? KeySource.header() : new KeySource.BodyPointer(pointer);
    }

    /** Whether the head of a request tells its key, or that it has none. */
    boolean isInHead() {
        for (KeySource source : sources()) {
            if (!(source instanceof KeySource.ClientHeader
                    || source instanceof KeySource.NamedHeader
                    || source instanceof KeySource.QueryParameter)) {
                return false;
            }
        }
        return true;
    }

    /** A description of the place where the client can send a key; empty if there is none. */
    String places() {
        return String.join(
                " or ",
                sources().stream()
                        .filter(KeyReader::isOfClient)
                        .map(this::place)
                        .toList());
    }

    /** The headers and parameters that can carry the key, for a description of the API. */
    static List<Parameter> parameters(HttpRules rules) {
        List<KeySource> sources = sources(rules.keySource());
        boolean required = sources.size() == 1 && rules.keyRequired();
        List<Parameter> parameters = new ArrayList<>();
        for (KeySource source : sources) {
            String query = source instanceof KeySource.QueryParameter parameter ? parameter.parameter() : null;
            String header = source instanceof KeySource.NamedHeader named
                    ? named.name()
                    : source instanceof KeySource.ClientHeader ? rules.headerName() : null;
            if (query != null || header != null) {
                parameters.add(Parameter.of(
                        query != null ? query : String.valueOf(header),
                        query != null ? "query" : "header",
                        required,
                        rules.maxKeyLength(),
                        rules.keyCheck().format()));
            }
        }
        return parameters;
    }

    private String place(KeySource source) {
        if (source instanceof KeySource.NamedHeader header) {
            return header.name() + " header";
        }
        if (source instanceof KeySource.QueryParameter query) {
            return "query parameter " + query.parameter();
        }
        if (source instanceof KeySource.BodyPointer body) {
            return "key at " + body.pointer() + " of its JSON body";
        }
        if (source instanceof KeySource.GraphQlDirective) {
            return "@idempotent directive of its GraphQL document";
        }
        return source instanceof KeySource.FormField form
                ? "form field " + form.field()
                : rules.headerName() + " header";
    }

    private List<KeySource> sources() {
        return sources(rules.keySource());
    }

    private static List<KeySource> sources(KeySource source) {
        return source instanceof KeySource.FirstOf several ? several.sources() : List.of(source);
    }

    /**
     * The key; {@code null} if the request has none.
     *
     * @param content the body; {@code null} where the key {@link #isInHead}
     */
    @Nullable
    String read(@Nullable RequestContent content, InstantSource clock) throws InvalidKeyException {
        String found = null;
        KeySource foundAt = null;
        for (KeySource source : sources()) {
            if (!isOfClient(source)) {
                return found == null ? made(source, Objects.requireNonNull(content), clock) : checked(found, clock);
            }
            String key = sent(source, content);
            if (key != null && foundAt != null && !key.equals(found)) {
                throw new InvalidKeyException("The " + place(foundAt) + " and the " + place(source)
                        + " are two different keys; send one, or the same in both places.");
            }
            if (key != null && found == null) {
                found = key;
                foundAt = source;
            }
        }
        return found == null ? null : checked(found, clock);
    }

    private String checked(String key, InstantSource clock) throws InvalidKeyException {
        KeyCheck.Defect defect = rules.keyCheck().check(key, head.headers()::lines, clock);
        if (defect != null) {
            throw new InvalidKeyException(defect.detail(), defect.expired());
        }
        return key;
    }

    /** The answer to a key that cannot be used. */
    static Problem problem(InvalidKeyException invalid) {
        return Problem.of(invalid.expired() ? ProblemType.KEY_EXPIRED : ProblemType.KEY_INVALID, invalid.detail());
    }

    /** The key that the client has sent. */
    private @Nullable String sent(KeySource source, @Nullable RequestContent content) throws InvalidKeyException {
        String key;
        if (source instanceof KeySource.QueryParameter query) {
            key = head.query() == null ? null : Parameters.value(head.query(), query.parameter(), place(source));
        } else if (source instanceof KeySource.BodyPointer body) {
            key = BodyKey.atPointer(Objects.requireNonNull(content), JsonPointer.parse(body.pointer()));
        } else if (source instanceof KeySource.GraphQlDirective) {
            key = GraphQlKey.of(Objects.requireNonNull(content));
        } else if (source instanceof KeySource.FormField form) {
            key = BodyKey.ofField(Objects.requireNonNull(content), form.field());
        } else {
            String name = source instanceof KeySource.NamedHeader header ? header.name() : rules.headerName();
            List<String> lines = head.headers().lines(name);
            return lines.isEmpty()
                    ? null
                    : IdempotencyKeyHeader.parse(name, lines, rules.strictHeader(), rules.maxKeyLength());
        }
        return key == null ? null : IdempotencyKeyHeader.require(place(source), key, rules.maxKeyLength());
    }

    /** The key that is made of the request. */
    private @Nullable String made(KeySource source, RequestContent content, InstantSource clock) {
        String operation = rules.policy().identity();
        if (source instanceof KeySource.Natural natural) {
            String name = natural.name().apply(head);
            return name == null ? null : Key.naturalValue(operation, name);
        }
        if (source instanceof KeySource.PathVariables path) {
            String name = PathTemplate.parse(path.template()).name(head.path());
            return name == null ? null : Key.naturalValue(operation, name);
        }
        if (source instanceof KeySource.NaturalFields natural) {
            return content.json()
                    .map(natural.fields()::present)
                    .map(values -> ReadableKey.fields(operation, values, Key.MAX_LENGTH))
                    .orElse(null);
        }
        return hash((KeySource.BodyHash) source, operation, content, clock);
    }

    private String hash(KeySource.BodyHash hash, String operation, RequestContent content, InstantSource clock) {
        LengthPrefixedDigest digest = LengthPrefixedDigest.hmacSha256(hash.secret());
        if (hash.ofTarget()) {
            digest.add("target")
                    .add(head.method().toUpperCase(Locale.ROOT))
                    .add(CanonicalUri.path(head.path()))
                    .add(CanonicalUri.query(head.query()))
                    .add(content.type())
                    .add(content.encoding());
        }
        if (hash.bucket() != null) {
            long bucket = Math.floorDiv(
                    clock.instant().getEpochSecond(), hash.bucket().toSeconds());
            digest.add("bucket").add(hash.bucket() + " " + bucket);
        }
        digest.add(operation);
        CanonicalJson json = content.json().orElse(null);
        if (json == null) {
            digest.add("bytes").add(content.sha256());
        } else {
            digest.add("json");
            for (byte[] part : hash.fields().parts(json)) {
                digest.add(part);
            }
        }
        return digest.base64Url();
    }
}
