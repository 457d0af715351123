package dev.semel.http;

import dev.semel.Namespace;
import dev.semel.Semel;
import dev.semel.http.header.IdempotencyKeyHeader;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.replay.ObservedDurations;
import dev.semel.http.replay.Replays;
import dev.semel.http.replay.StatusResource;
import dev.semel.http.spool.Spool;
import dev.semel.policy.Duplicates;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one entry of the protocol. An adapter for a server or a framework does four things, and none of them is protocol:
 *
 * <ol>
 *   <li>It finds the {@link HttpRules} of a request and asks {@link #admit}.
 *   <li>For an {@link Exchange} it reads the body into a {@link Spool} and learns who is calling.
 *   <li>It calls {@link Exchange#run} with a handler that runs the application and captures its response; or, if it owns
 *       its thread, {@link Exchange#claim}, and runs the application itself if the key is its own.
 *   <li>It writes the {@link Reply}.
 * </ol>
 */
public final class HttpGate {

    private static final Logger log = LoggerFactory.getLogger(HttpGate.class);
    private static final Admission PASS = new Admission.PassThrough();

    private final Semel semel;
    private final Namespace namespace;
    private final HttpListener listener;
    private final Clock clock;
    private final Replays replays;
    private final @Nullable StatusResource statusResource;
    private final ObservedDurations durations = new ObservedDurations();

    private HttpGate(Builder builder) {
        this.semel = builder.semel;
        this.namespace = builder.namespace;
        this.listener = builder.listener;
        this.clock = builder.clock;
        this.replays = new Replays(builder.replayMarker);
        this.statusResource = builder.statusPath == null
                ? null
                : new StatusResource(builder.statusPath, semel, namespace, replays, durations, clock);
    }

    public static Builder builder(Semel semel) {
        return new Builder(semel);
    }

    /**
     * Binds the operation of the rules, and throws if this gate cannot keep what they promise. To be called when an
     * application starts.
     */
    public void validate(HttpRules rules) {
        requireStatusResource(rules);
        rules.boundTo(this);
    }

    private void requireStatusResource(HttpRules rules) {
        if (statusResource == null && rules.policy().duplicates() instanceof Duplicates.Accepted) {
            throw new IllegalArgumentException("operation " + rules.policy().operation()
                    + " answers duplicates with 202, but there is nowhere to ask for the outcome: set"
                    + " HttpGate.builder(...).statusPath(...), or choose other duplicates");
        }
    }

    /** Looks at the head of a request; {@code rules} is {@code null} for one that no rules apply to. */
    public Admission admit(RequestHead head, @Nullable HttpRules rules) {
        if (statusResource != null && statusResource.serves(head.method(), head.path())) {
            return new Admission.Status(
                    scope -> statusResource.answer(head.path(), scope == null ? null : Scopes.fit(scope)));
        }
        if (rules == null || !rules.guards(head.method())) {
            return PASS;
        }
        requireStatusResource(rules);
        if (!(rules.keySource() instanceof KeySource.ClientHeader)) {
            return new Exchange(this, rules, head, null);
        }
        List<String> lines = head.headers().lines(rules.headerName());
        if (lines.isEmpty()) {
            return withoutKey(rules);
        }
        try {
            String key =
                    IdempotencyKeyHeader.parse(rules.headerName(), lines, rules.strictHeader(), rules.maxKeyLength());
            return new Exchange(this, rules, head, key);
        } catch (IdempotencyKeyHeader.InvalidKeyException e) {
            return new Admission.Refused(refuse(rules, Problem.of(ProblemType.KEY_INVALID, e.detail())));
        }
    }

    private Admission withoutKey(HttpRules rules) {
        if (!rules.keyRequired()) {
            tell(new HttpEvent.Unprotected(rules.policy().operation()));
            return PASS;
        }
        return new Admission.Refused(
                refuse(
                        rules,
                        Problem.of(
                                ProblemType.KEY_MISSING,
                                "This operation needs an " + rules.headerName()
                                        + " header with a value that is new for each operation and the same for its retries.")));
    }

    /** A refusal that is counted. */
    Answer refuse(HttpRules rules, Problem problem) {
        tell(new HttpEvent.Refused(rules.policy().operation(), problem.type()));
        return documented(rules, problem.answer());
    }

    Answer documented(HttpRules rules, Answer answer) {
        URI documentation = rules.documentation();
        return documentation == null
                ? answer
                : answer.with(
                        "Link", "<" + documentation.toASCIIString() + ">; rel=\"describedby\"; type=\"text/html\"");
    }

    /** A listener that fails is reported, and changes nothing. */
    void tell(HttpEvent event) {
        try {
            listener.on(event);
        } catch (RuntimeException e) {
            log.warn("the listener {} failed", listener.getClass().getName(), e);
        }
    }

    Semel semel() {
        return semel;
    }

    Namespace namespace() {
        return namespace;
    }

    Clock clock() {
        return clock;
    }

    ObservedDurations durations() {
        return durations;
    }

    Replays replays() {
        return replays;
    }

    @Nullable
    StatusResource statusResource() {
        return statusResource;
    }

    /** Makes an {@link HttpGate}. */
    public static final class Builder {

        private final Semel semel;
        private Namespace namespace = Namespace.DEFAULT;
        private HttpListener listener = event -> {};
        private Clock clock = Clock.systemUTC();
        private String replayMarker = "X-Idempotency-Replayed";
        private @Nullable String statusPath;

        private Builder(Semel semel) {
            this.semel = semel;
        }

        public Builder namespace(Namespace namespace) {
            this.namespace = namespace;
            return this;
        }

        public Builder listener(HttpListener listener) {
            this.listener = listener;
            return this;
        }

        /** The clock behind dates in responses; leases and expiry are the store's business. */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /** The name of the header that marks a replay. */
        public Builder replayMarker(String headerName) {
            this.replayMarker = headerName;
            return this;
        }

        /**
         * The path, as clients see it, under which {@code GET} tells a caller what became of its operations, for
         * example {@code /operations}. Needed where duplicates are answered with 202.
         */
        public Builder statusPath(String path) {
            if (!path.startsWith("/") || path.endsWith("/") || path.contains("?")) {
                throw new IllegalArgumentException(
                        "the status path must look like /operations (a slash first, none last), got \"" + path + "\"");
            }
            this.statusPath = path;
            return this;
        }

        public HttpGate build() {
            return new HttpGate(this);
        }
    }
}
