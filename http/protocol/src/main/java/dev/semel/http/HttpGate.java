package dev.semel.http;

import dev.semel.Fingerprint;
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
import dev.semel.http.shadow.ShadowExchange;
import dev.semel.http.shadow.ShadowFinding;
import dev.semel.http.shadow.ShadowRecorder;
import dev.semel.http.shadow.ShadowedCall;
import dev.semel.http.shadow.ShadowedEnd;
import dev.semel.http.spool.Spool;
import dev.semel.http.stored.ReplayHook;
import dev.semel.policy.Recovery;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry point of the protocol. An adapter for a server or a framework does four things:
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
            "The stored response is not available at the moment. Retry with the same key.");

    private final Semel semel;
    private final Namespace namespace;
    private final HttpListener listener;
    private final Clock clock;
    private final @Nullable List<String> markers;
    private final @Nullable StatusResource statusResource;
    private final @Nullable String node;
    private final @Nullable ShadowRecorder shadow;
    private final ObservedDurations durations = new ObservedDurations();
    private final AtomicBoolean shadowIgnored = new AtomicBoolean();
    private final Map<String, HttpRules> rulesInUse = new ConcurrentHashMap<>();
    private final Set<String> late = ConcurrentHashMap.newKeySet();

    private HttpGate(Builder builder) {
        this.semel = builder.semel;
        this.namespace = builder.namespace;
        this.listener = builder.listener;
        this.clock = builder.clock;
        this.markers = builder.markers;
        this.node = builder.node;
        this.shadow = builder.shadow;
        // Also where nothing is in shadow mode any more: what a node has left unfinished is resolved all the same.
        ShadowRecorder.policies().forEach(semel::operation);
        this.statusResource = builder.statusPath == null
                ? null
                : new StatusResource(
                        builder.statusPath, semel, namespace, this::replaysOf, this::holds, durations, clock);
    }

    /** A fingerprint that matches every HTTP request, for an imported key whose request is unknown. */
    public static Fingerprint anyRequest() {
        return Fingerprint.ofAnyRequest().forOperation(RequestFingerprint.OPERATION);
    }

    public static Builder builder(Semel semel) {
        return new Builder(semel);
    }

    /**
     * Binds the operation of the rules, and throws if this gate cannot keep what they promise. For rules that are known only
     * after the gate is built; give it all others with {@link Builder#rules}.
     */
    public void validate(HttpRules rules) {
        if (rules.isShadow()) {
            if (shadow == null) {
                throw new IllegalArgumentException("operation " + rules.policy().operation()
                        + " is in shadow mode, but there is no recorder: set"
                        + " HttpGate.builder(...).shadow(ShadowRecorder.builder(store).build())");
            }
            return;
        }
        requireStatusResource(rules);
        rules.boundTo(this);
    }

    private void requireStatusResource(HttpRules rules) {
        if (statusResource == null && rules.needsStatusResource()) {
            throw new IllegalArgumentException("operation " + rules.policy().operation()
                    + " answers with 202, but there is no status resource for the outcome: set"
                    + " HttpGate.builder(...).statusPath(...), or choose other duplicates, and no respondAsync");
        }
    }

    /**
     * Starts to watch a request whose rules are in shadow mode; {@code null} for any other request, which you then
     * {@link #admit}. For adapters that support shadow mode.
     *
     * @param head a head that can still be read when the request is over
     * @param announced the length of the body; negative if it is not known
     */
    public @Nullable ShadowExchange shadow(RequestHead head, @Nullable HttpRules rules, long announced) {
        return shadow == null || rules == null || !rules.isShadow() || !rules.guards(head.method())
                ? null
                : shadow.begin(new ShadowedRequest(this, rules, head), announced);
    }

    /** Decides about a request by its head; {@code rules} is {@code null} if no rules apply to it. */
    public Admission admit(RequestHead head, @Nullable HttpRules rules) {
        if (statusResource != null && !isAllShadow() && statusResource.serves(head.method(), head.path())) {
            return new Admission.Status(scope -> statusResource.answer(
                    head.path(),
                    scope == null ? null : Scopes.fit(scope),
                    (record, stored) -> givenOut(head, record.key(), record.operation(), stored)));
        }
        if (rules == null || !rules.guards(head.method())) {
            return PASS;
        }
        if (rules.isShadow()) {
            if (!shadowIgnored.getAndSet(true)) {
                log.warn(
                        "operation {} is in shadow mode, but nothing is recorded: this front end has no shadow mode, or"
                                + " HttpGate.builder(...).shadow(...) is not set; requests run unprotected",
                        rules.policy().operation());
            }
            return PASS;
        }
        requireStatusResource(rules);
        KeyReader keys = new KeyReader(rules, head);
        warnOfLateRules(rules.policy().operation());
        if (!keys.isInHead() || rules.signatures().isNeeded()) {
            return new Exchange(this, rules, head, null);
        }
        try {
            String key = keys.read(null, clock);
            return key == null ? withoutKey(rules, keys) : new Exchange(this, rules, head, key);
        } catch (IdempotencyKeyHeader.InvalidKeyException e) {
            return new Admission.Refused(refuse(rules, KeyReader.problem(e)));
        }
    }

    private void warnOfLateRules(String operation) {
        if (!rulesInUse.containsKey(operation) && late.add(operation)) {
            log.warn(
                    "operation {} was not known before its first request, so keys that another process left behind were not"
                            + " resolved since the start: name its rules in HttpGate.builder(...).rules(...)",
                    operation);
        }
    }

    /** Whether nothing is protected here, so that there is nothing to ask for. */
    private boolean isAllShadow() {
        return shadow != null && rulesInUse.isEmpty();
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

    /** Registers these rules: outcomes that are stored under any name of their operation are replayed by them. */
    void bound(HttpRules rules) {
        Stream.concat(Stream.of(rules.policy().operation()), rules.policy().formerly().stream())
                .forEach(name ->
                        rulesInUse.merge(name, rules, (known, other) -> known.replayHook() == null ? other : known));
    }

    /** The replays of an operation's status resource; for {@code null}, in the dialect that all operations share. */
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

    /**
     * The answer of the status resource for a stored response. It contains nothing of the response if the gate does not
     * know whether to call a hook.
     */
    private CompletionStage<Answer> givenOut(RequestHead head, Key key, String operation, Answer stored) {
        HttpRules rules = rulesInUse.get(operation);
        if (rules != null) {
            return replayed(rules, head, key, operation, stored);
        }
        log.warn(
                "the outcome of operation {} is not given out, because its rules are not known here before its first"
                        + " request: name them in HttpGate.builder(...).rules(...)",
                operation);
        tell(new HttpEvent.Refused(operation, ProblemType.STORE_UNAVAILABLE));
        return CompletableFuture.completedStage(
                replaysOf(null).dialect().answer(NOT_NOW).with("Retry-After", "1"));
    }

    /** The replay for a caller: the whole stored response, unless the application's hook decides otherwise. */
    CompletionStage<Answer> replayed(HttpRules rules, RequestHead head, Key key, String operation, Answer stored) {
        ReplayHook hook = rules.replayHook();
        if (hook == null) {
            tell(new HttpEvent.Replayed(operation, key));
            return CompletableFuture.completedStage(stored);
        }
        ReplayHook.Replay replay = ReplayHook.Replay.builder(operation, key.scope(), stored)
                .request(head.method(), head.path(), head.headers()::lines)
                .build();
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
                                "You are no longer allowed to see the stored response of this key."));
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

    /** The replays of this dialect, with the gate's own markers if it has any. */
    Replays replays(Dialect dialect) {
        return new Replays(markers == null ? dialect : marked(dialect, markers));
    }

    static Dialect marked(Dialect dialect, List<String> markers) {
        return Dialect.builder(dialect.name(), dialect)
                .markers(markers.toArray(String[]::new))
                .build();
    }

    /** The description of a request that is stored with its key, without the query, which may contain secrets. */
    String about(RequestHead head) {
        return head.method() + " " + head.path() + (node == null ? "" : " on " + node);
    }

    @Nullable
    StatusResource statusResource() {
        return statusResource;
    }

    /** A request that runs in shadow mode, as the recorder sees it. */
    private record ShadowedRequest(HttpGate gate, HttpRules rules, RequestHead head)
            implements ShadowExchange.Protocol {

        @Override
        public String operation() {
            return rules.policy().operation();
        }

        @Override
        public Duration retention() {
            return rules.policy().retention().active();
        }

        @Override
        public long maxBody() {
            return rules.maxRequestBody();
        }

        @Override
        public ShadowedEnd end(int status, @Nullable Throwable failure, boolean reportsEntry) {
            boolean entered = !reportsEntry || !HandlerEnd.isRefusal(status);
            HandlerResponse seen = HandlerResponse.of(status, List.of(), null).withFailure(failure);
            return HandlerEnd.meaning(rules, entered ? seen : seen.notEntered());
        }

        @Override
        public @Nullable ShadowedCall read(@Nullable String scope, Spool body, boolean exact) {
            return new Exchange(gate, rules, head, null).shadowed(scope, body, exact);
        }

        @Override
        public void tell(ShadowFinding finding) {
            gate.tell(new HttpEvent.Shadowed(operation(), finding));
            if (finding == ShadowFinding.KEY_MISSING) {
                gate.tell(new HttpEvent.Unprotected(operation()));
            }
        }
    }

    /** Builds an {@link HttpGate}. */
    public static final class Builder {

        private final Semel semel;
        private Namespace namespace = Namespace.DEFAULT;
        private HttpListener listener = event -> {};
        private Clock clock = Clock.systemUTC();
        private @Nullable List<String> markers;
        private @Nullable String statusPath;
        private @Nullable String node;
        private @Nullable ShadowRecorder shadow;
        private final List<HttpRules> rules = new ArrayList<>();

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

        /** The clock for dates in responses; the store decides leases and expiry. */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /**
         * The headers that mark a replay, in every dialect; the default of most dialects is {@code
         * Idempotent-Replayed}. Name two to send both, for clients that know an older one.
         */
        public Builder replayMarker(String... headerNames) {
            this.markers = List.of(headerNames);
            return this;
        }

        /** The name of this process, which is shown with the keys that it claimed. */
        public Builder node(String name) {
            this.node = name;
            return this;
        }

        /**
         * Records requests whose rules are in {@link HttpRules.Builder#shadow shadow mode}. The gate does not close it.
         */
        public Builder shadow(ShadowRecorder recorder) {
            this.shadow = recorder;
            return this;
        }

        /**
         * The path, as clients see it, under which {@code GET} returns the outcome of a caller's operations, for
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

        /**
         * The rules that requests may have here. Those that are named have their mistakes found by {@link #build}, and their
         * lapsed keys resolved from the start. Others are bound at their first request.
         *
         * @throws IllegalArgumentException from {@link #build}, if the gate cannot keep what they promise
         */
        public Builder rules(HttpRules... rules) {
            this.rules.addAll(List.of(rules));
            return this;
        }

        public HttpGate build() {
            HttpGate gate = new HttpGate(this);
            rules.forEach(gate::validate);
            return gate;
        }
    }
}
