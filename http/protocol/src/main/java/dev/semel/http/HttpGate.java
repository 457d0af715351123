package dev.semel.http;

import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Semel;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.header.IdempotencyKeyHeader;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.replay.HookCall;
import dev.semel.http.replay.ObservedDurations;
import dev.semel.http.replay.Replays;
import dev.semel.http.replay.StatusResource;
import dev.semel.http.spool.Spool;
import dev.semel.http.stored.ReplayHook;
import dev.semel.policy.Recovery;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
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

    private static final Problem NOT_NOW = Problem.of(
            ProblemType.STORE_UNAVAILABLE,
            "The stored response cannot be given out at the moment. Ask again with the same key.");

    private final Semel semel;
    private final Namespace namespace;
    private final HttpListener listener;
    private final Clock clock;
    private final @Nullable List<String> markers;
    private final @Nullable StatusResource statusResource;
    private final @Nullable String node;
    private final ObservedDurations durations = new ObservedDurations();
    private final Map<String, HttpRules> rulesInUse = new ConcurrentHashMap<>();

    private HttpGate(Builder builder) {
        this.semel = builder.semel;
        this.namespace = builder.namespace;
        this.listener = builder.listener;
        this.clock = builder.clock;
        this.markers = builder.markers;
        this.node = builder.node;
        this.statusResource = builder.statusPath == null
                ? null
                : new StatusResource(
                        builder.statusPath, semel, namespace, this::replaysOf, this::holds, durations, clock);
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
        if (statusResource == null && rules.needsStatusResource()) {
            throw new IllegalArgumentException("operation " + rules.policy().operation()
                    + " answers with 202, but there is nowhere to ask for the outcome: set"
                    + " HttpGate.builder(...).statusPath(...), or choose other duplicates, and no respondAsync");
        }
    }

    /** Looks at the head of a request; {@code rules} is {@code null} for one that no rules apply to. */
    public Admission admit(RequestHead head, @Nullable HttpRules rules) {
        if (statusResource != null && statusResource.serves(head.method(), head.path())) {
            return new Admission.Status(scope -> statusResource.answer(
                    head.path(),
                    scope == null ? null : Scopes.fit(scope),
                    (record, stored) -> givenOut(head, record.key(), record.operation(), stored)));
        }
        if (rules == null || !rules.guards(head.method())) {
            return PASS;
        }
        requireStatusResource(rules);
        KeyReader keys = new KeyReader(rules, head);
        if (!keys.isInHead() || rules.signatures().isNeeded()) {
            return new Exchange(this, rules, head, null);
        }
        try {
            String key = keys.read(null, clock.instant());
            return key == null ? withoutKey(rules, keys) : new Exchange(this, rules, head, key);
        } catch (IdempotencyKeyHeader.InvalidKeyException e) {
            return new Admission.Refused(refuse(rules, KeyReader.problem(e)));
        }
    }

    private Admission withoutKey(HttpRules rules, KeyReader keys) {
        if (!rules.keyRequired()) {
            tell(new HttpEvent.Unprotected(rules.policy().operation()));
            return PASS;
        }
        return new Admission.Refused(refuse(rules, keyMissing(keys)));
    }

    static Problem keyMissing(KeyReader keys) {
        return Problem.of(
                ProblemType.KEY_MISSING,
                "This operation needs an " + keys.places()
                        + " with a value that is new for each operation and the same for its retries.");
    }

    /** A refusal that is counted. */
    Answer refuse(HttpRules rules, Problem problem) {
        tell(new HttpEvent.Refused(rules.policy().operation(), problem.type()));
        return documented(rules, rules.dialect().answer(problem));
    }

    Answer documented(HttpRules rules, Answer answer) {
        URI documentation = rules.documentation();
        return documentation == null
                ? answer
                : answer.with(
                        "Link", "<" + documentation.toASCIIString() + ">; rel=\"describedby\"; type=\"text/html\"");
    }

    /** These rules are in use here: what is stored under any name of their operation is given out as they say. */
    void bound(HttpRules rules) {
        Stream.concat(Stream.of(rules.policy().operation()), rules.policy().formerly().stream())
                .forEach(name ->
                        rulesInUse.merge(name, rules, (known, other) -> known.replayHook() == null ? other : known));
    }

    /** How the status resource answers for an operation; for {@code null}, in the dialect that all operations share. */
    private Replays replaysOf(@Nullable String operation) {
        HttpRules rules = operation == null ? null : rulesInUse.get(operation);
        if (rules != null) {
            return rules.boundTo(this).replays();
        }
        Map<String, Dialect> spoken = new HashMap<>();
        rulesInUse.values().forEach(known -> spoken.put(known.dialect().name(), known.dialect()));
        return replays(spoken.size() == 1 ? spoken.values().iterator().next() : Dialect.draft());
    }

    private boolean holds(String operation) {
        HttpRules rules = rulesInUse.get(operation);
        return rules != null && rules.policy().recovery() == Recovery.HOLD;
    }

    /** What the status resource gives out of a stored response: nothing, if nobody knows whether a hook is to be asked. */
    private CompletionStage<Answer> givenOut(RequestHead head, Key key, String operation, Answer stored) {
        HttpRules rules = rulesInUse.get(operation);
        if (rules != null) {
            return replayed(rules, head, key, operation, stored);
        }
        log.warn(
                "the outcome of operation {} is not given out, because its rules are not known here before its first"
                        + " request: call HttpGate.validate with all rules when the application starts",
                operation);
        tell(new HttpEvent.Refused(operation, ProblemType.STORE_UNAVAILABLE));
        return CompletableFuture.completedStage(
                replaysOf(null).dialect().answer(NOT_NOW).with("Retry-After", "1"));
    }

    /** What a caller gets of its stored response: all of it, unless the application says otherwise. */
    CompletionStage<Answer> replayed(HttpRules rules, RequestHead head, Key key, String operation, Answer stored) {
        ReplayHook hook = rules.replayHook();
        if (hook == null) {
            tell(new HttpEvent.Replayed(operation, key));
            return CompletableFuture.completedStage(stored);
        }
        ReplayHook.Replay replay = new ReplayHook.Replay(
                operation, key.scope(), head.method(), head.path(), head.headers()::lines, stored);
        return HookCall.decide(hook, replay).thenApply(decision -> {
            if (decision == null) {
                return refuse(rules, NOT_NOW).with("Retry-After", "1");
            }
            if (decision instanceof ReplayHook.Decision.Deny) {
                tell(new HttpEvent.ReplayDenied(operation, key));
                return refuse(
                        rules,
                        Problem.of(
                                ProblemType.REPLAY_DENIED,
                                "You may not see the response that is stored for this key."));
            }
            tell(new HttpEvent.Replayed(operation, key));
            return HookCall.answer(decision, stored);
        });
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

    /** Replays in this dialect, marked as the gate says if it says anything. */
    Replays replays(Dialect dialect) {
        return new Replays(markers == null ? dialect : marked(dialect, markers));
    }

    static Dialect marked(Dialect dialect, List<String> markers) {
        return Dialect.builder(dialect.name(), dialect)
                .markers(markers.toArray(String[]::new))
                .build();
    }

    /** What is kept of a request beside its key: not the query, which may hold secrets. */
    String about(RequestHead head) {
        return head.method() + " " + head.path() + (node == null ? "" : " on " + node);
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
        private @Nullable List<String> markers;
        private @Nullable String statusPath;
        private @Nullable String node;

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

        /**
         * The headers that mark a replay, whatever the dialect: {@code Idempotent-Replayed} for most of them, unless set.
         * Name two to send both, for clients that know an older one.
         */
        public Builder replayMarker(String... headerNames) {
            this.markers = List.of(headerNames);
            return this;
        }

        /** The name of this process, which people see beside the keys that it claimed. */
        public Builder node(String name) {
            this.node = name;
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
