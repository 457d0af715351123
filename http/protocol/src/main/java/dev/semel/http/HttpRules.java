package dev.semel.http;

import dev.semel.ExternalOperation;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.TransactionRunner;
import dev.semel.TransactionalOperation;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.dialect.SignatureCheck;
import dev.semel.http.key.KeyCheck;
import dev.semel.http.openapi.RulesDescription;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.replay.Replays;
import dev.semel.http.stored.Redaction;
import dev.semel.http.stored.ReplayHook;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.policy.WhenStoreIsDown;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the requests of one operation are made safe to retry: its policy, and the settings for HTTP. */
public final class HttpRules {

    private final Policy policy;
    private final Dialect dialect;
    private final SignatureCheck signatures;
    private final KeySource keySource;
    private final KeyCheck keyCheck;
    private final String headerName;
    private final boolean keyRequired;
    private final boolean strictHeader;
    private final int maxKeyLength;
    private final Set<String> methods;
    private final Fields fields;
    private final boolean comparesHost;
    private final ReplayHeaders replayHeaders;
    private final Redaction redaction;
    private final @Nullable ReplayHook replayHook;
    private final boolean publishExpiry;
    private final @Nullable URI documentation;
    private final long maxRequestBody;
    private final Duration maxPreferredWait;
    private final boolean respondAsync;
    private final boolean shadow;
    private final @Nullable TransactionRunner<?> transactions;

    /** The operation at the gate that used these rules last; mostly there is only one gate. */
    private volatile @Nullable Bound bound;

    private HttpRules(Builder builder) {
        this.dialect = builder.dialect;
        Predicate<Outcome> refused = builder.policy.refused();
        Set<Integer> statuses = Set.copyOf(builder.refusedStatuses);
        Policy.Builder<?, ?> known = builder.policy.toBuilder()
                .refused(outcome -> statuses.contains(outcome.status()) || refused.test(outcome));
        if (builder.refusalRetention != null) {
            known.keepBriefly(outcome -> HandlerEnd.isRefusal(outcome.status()), builder.refusalRetention);
        }
        this.policy = known.build();
        this.keySource = builder.keySource == null ? KeyReader.source(dialect) : builder.keySource;
        this.keyCheck = builder.keyCheck == null ? dialect.keyCheck() : builder.keyCheck;
        keyCheck.requireWithin(policy.retention().active());
        this.headerName = builder.headerName == null ? dialect.header() : builder.headerName;
        this.keyRequired =
                builder.keyRequired == null ? !Boolean.FALSE.equals(dialect.keyRequired()) : builder.keyRequired;
        this.strictHeader = builder.strictHeader;
        this.maxKeyLength = builder.maxKeyLength == null ? dialect.maxKeyLength() : builder.maxKeyLength;
        this.methods = (builder.methods == null ? dialect.methods() : builder.methods)
                .stream().map(m -> m.toUpperCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        this.fields = builder.fields == null ? KeyReader.fieldsOf(keySource) : builder.fields;
        this.comparesHost = builder.comparesHost;
        this.replayHeaders = builder.replayHeaders;
        this.redaction = builder.redaction;
        this.replayHook = builder.replayHook;
        this.documentation = builder.documentation == null ? dialect.problemPages() : builder.documentation;
        this.publishExpiry = builder.publishExpiry == null ? documentation != null : builder.publishExpiry;
        this.maxRequestBody = builder.maxRequestBody;
        this.maxPreferredWait = builder.maxPreferredWait;
        this.respondAsync = builder.respondAsync;
        this.shadow = builder.shadow;
        this.transactions = builder.transactions;
        if (maxKeyLength < 1 || maxKeyLength > Key.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "the longest key must be between 1 and " + Key.MAX_LENGTH + " characters, got " + maxKeyLength);
        }
        if (maxRequestBody < 0) {
            throw new IllegalArgumentException("the largest request body must not be negative, got " + maxRequestBody);
        }
        if ((policy.mode() == Mode.EXTERNAL) != (transactions == null)) {
            throw new IllegalArgumentException("operation " + policy.operation() + " has mode " + policy.mode()
                    + (transactions == null ? " but no transactions" : " and needs no transactions"));
        }
        if (transactions != null && policy.duplicates() instanceof Duplicates.Wait) {
            throw new IllegalArgumentException("duplicates of operation " + policy.operation()
                    + " cannot wait: in mode " + policy.mode() + " they would block their threads");
        }
        this.signatures = SignatureCheck.of(dialect, builder.signatureSecrets);
        dialect.requireFits(policy);
        if (respondAsync && (transactions != null || policy.whenStoreIsDown() == WhenStoreIsDown.OPEN)) {
            throw new IllegalArgumentException("operation " + policy.operation() + " cannot answer before it has run: "
                    + (transactions == null
                            ? "it may run while the store is down, and then its outcome could not be requested"
                            : "in mode " + policy.mode() + " its claim is not durable by then"));
        }
        if (maxPreferredWait.isNegative()) {
            throw new IllegalArgumentException(
                    "the longest preferred wait must not be negative, got " + maxPreferredWait);
        }
    }

    public static Builder builder(Policy policy) {
        return new Builder(policy);
    }

    /** The default rules for this policy. */
    public static HttpRules of(Policy policy) {
        return builder(policy).build();
    }

    /** The policy, which also knows the refused statuses and how long refusals are kept. */
    public Policy policy() {
        return policy;
    }

    /** The largest request body; a larger one is refused. */
    public long maxRequestBody() {
        return maxRequestBody;
    }

    /** The methods whose requests are guarded. */
    public Set<String> methods() {
        return methods;
    }

    /**
     * Describes these rules for the clients of the API.
     *
     * @param markers the headers that the gate marks a replay with, if they differ from those of the dialect
     */
    public RulesDescription describe(String... markers) {
        RulesDescription described = RulesDescription.of(
                markers.length == 0 ? dialect : HttpGate.marked(dialect, List.of(markers)),
                KeyReader.parameters(this),
                publishExpiry,
                needsStatusResource());
        if (signatures.isNeeded()) {
            described = described.and(ProblemType.SIGNATURE_INVALID);
        }
        if (keyRequired) {
            described = described.and(
                    KeyReader.isOfClient(keySource) ? ProblemType.KEY_MISSING : ProblemType.KEY_NOT_DERIVABLE);
        }
        if (replayHook != null) {
            described = described.and(ProblemType.REPLAY_DENIED);
        }
        return keyCheck.boundsAge() || !policy.retention().tombstone().isZero()
                ? described.and(ProblemType.KEY_EXPIRED)
                : described;
    }

    /** Whether a request of this method is guarded. */
    public boolean guards(String method) {
        return methods.contains(method);
    }

    /** Binds the operation when a gate asks for the first time. */
    Bound boundTo(HttpGate gate) {
        Bound known = bound;
        if (known == null || known.gate() != gate) {
            known = Bound.of(gate, this);
            gate.bound(this);
            bound = known;
        }
        return known;
    }

    /** How the requests of this operation carry their key, and how they are answered. */
    public Dialect dialect() {
        return dialect;
    }

    SignatureCheck signatures() {
        return signatures;
    }

    KeySource keySource() {
        return keySource;
    }

    KeyCheck keyCheck() {
        return keyCheck;
    }

    String headerName() {
        return headerName;
    }

    boolean keyRequired() {
        return keyRequired;
    }

    boolean strictHeader() {
        return strictHeader;
    }

    int maxKeyLength() {
        return maxKeyLength;
    }

    Fields fields() {
        return fields;
    }

    boolean comparesHost() {
        return comparesHost;
    }

    ReplayHeaders replayHeaders() {
        return replayHeaders;
    }

    @Nullable
    ReplayHook replayHook() {
        return replayHook;
    }

    boolean publishExpiry() {
        return publishExpiry;
    }

    @Nullable
    URI documentation() {
        return documentation;
    }

    /** The transactions in which the outcome is stored; {@code null} in the external mode. */
    public @Nullable TransactionRunner<?> transactions() {
        return transactions;
    }

    boolean respondAsync() {
        return respondAsync;
    }

    /** Whether these rules are in shadow mode: requests run unprotected, and Semel records what it would have done. */
    public boolean isShadow() {
        return shadow;
    }

    /** Whether clients get the address of a status resource, which then has to be served. */
    public boolean needsStatusResource() {
        return respondAsync || policy.duplicates() instanceof Duplicates.Accepted;
    }

    /** How to answer a duplicate whose client prefers to wait this many seconds; negative if it gave no preference. */
    Duplicates duplicatesFor(long preferredWait) {
        Duplicates duplicates = policy.duplicates();
        Duration limit = duplicates instanceof Duplicates.Wait wait ? wait.limit() : maxPreferredWait;
        if (preferredWait < 0 || limit.isZero()) {
            return duplicates;
        }
        Duration asked = Duration.ofSeconds(preferredWait);
        Duration wait = asked.compareTo(limit) < 0 ? asked : limit;
        if (wait.isZero()) {
            return duplicates instanceof Duplicates.Wait ? Duplicates.reject() : duplicates;
        }
        return Duplicates.waitFor(wait);
    }

    /** The operation of some rules, bound to the engine of a gate. */
    record Bound(
            HttpGate gate,
            Replays replays,
            @Nullable ExternalOperation<HandlerResponse> external,
            @Nullable TransactionalOperation<?, HandlerResponse> transactional) {

        static Bound of(HttpGate gate, HttpRules rules) {
            Replays replays = gate.replays(rules.dialect());
            ResponseCodec codec = new ResponseCodec(rules.replayHeaders(), rules.redaction, replays);
            TransactionRunner<?> transactions = rules.transactions();
            return transactions == null
                    ? new Bound(gate, replays, gate.semel().operation((ExternalPolicy) rules.policy(), codec), null)
                    : new Bound(
                            gate,
                            replays,
                            null,
                            gate.semel().operation((TransactionalPolicy) rules.policy(), codec, transactions));
        }
    }

    /** Makes {@link HttpRules}. */
    public static final class Builder {

        private static final long DEFAULT_MAX_REQUEST_BODY = 10L << 20;

        private final Policy policy;
        private Dialect dialect = Dialect.draft();
        private List<String> signatureSecrets = List.of();
        private @Nullable KeySource keySource;
        private @Nullable KeyCheck keyCheck;
        private @Nullable String headerName;
        private @Nullable Boolean keyRequired;
        private boolean strictHeader;
        private @Nullable Integer maxKeyLength;
        private @Nullable Set<String> methods;
        private @Nullable Fields fields;
        private boolean comparesHost;
        private ReplayHeaders replayHeaders = ReplayHeaders.standard();
        private Redaction redaction = Redaction.none();
        private @Nullable ReplayHook replayHook;
        private @Nullable Boolean publishExpiry;
        private @Nullable URI documentation;
        private long maxRequestBody = DEFAULT_MAX_REQUEST_BODY;
        private Duration maxPreferredWait = Duration.ZERO;
        private boolean respondAsync;
        private boolean shadow;
        private Set<Integer> refusedStatuses = Set.of();
        private @Nullable Duration refusalRetention;
        private @Nullable TransactionRunner<?> transactions;

        private Builder(Policy policy) {
            this.policy = policy;
        }

        /**
         * The dialect: how requests carry their key, and how they are answered; by default the Internet-Draft. Other
         * settings of this builder override the dialect.
         */
        public Builder dialect(Dialect dialect) {
            this.dialect = dialect;
            return this;
        }

        /**
         * The secrets of a webhook dialect, as the provider shows them. Set several while one replaces another.
         */
        public Builder signatureSecrets(String... secrets) {
            this.signatureSecrets = List.of(secrets);
            return this;
        }

        public Builder keySource(KeySource keySource) {
            this.keySource = keySource;
            return this;
        }

        /** The required form of keys that clients choose; by default any form is accepted. */
        public Builder keyCheck(KeyCheck keyCheck) {
            this.keyCheck = keyCheck;
            return this;
        }

        public Builder headerName(String headerName) {
            this.headerName = headerName;
            return this;
        }

        /** Whether a request without a key is refused; otherwise it passes through unprotected and is counted. */
        public Builder keyRequired(boolean keyRequired) {
            this.keyRequired = keyRequired;
            return this;
        }

        /** Whether only the quoted form of the header is accepted. */
        public Builder strictHeader(boolean strictHeader) {
            this.strictHeader = strictHeader;
            return this;
        }

        public Builder maxKeyLength(int characters) {
            this.maxKeyLength = characters;
            return this;
        }

        public Builder methods(String... methods) {
            this.methods = Set.of(methods);
            return this;
        }

        /** Selects what the fingerprint covers of a JSON body: by default all of it, or the parts of a body hash. */
        public Builder fields(Fields fields) {
            this.fields = fields;
            return this;
        }

        /**
         * Whether the same key at another {@code Host} is a mismatch; not by default. For an application that serves
         * several hosts that do different things.
         */
        public Builder comparesHost(boolean comparesHost) {
            this.comparesHost = comparesHost;
            return this;
        }

        public Builder replayHeaders(ReplayHeaders replayHeaders) {
            this.replayHeaders = replayHeaders;
            return this;
        }

        /** Parts of responses that are never stored; none by default. */
        public Builder neverStored(Redaction redaction) {
            this.redaction = redaction;
            return this;
        }

        /** The hook that is called before each replay; none by default. */
        public Builder replayHook(ReplayHook hook) {
            this.replayHook = hook;
            return this;
        }

        /**
         * Whether responses carry {@code Idempotency-Expires}, the time until which the key replays. By default they do
         * if {@link #documentation} is set.
         */
        public Builder publishExpiry(boolean publishExpiry) {
            this.publishExpiry = publishExpiry;
            return this;
        }

        /** The page of the API's documentation that problems link to; by default {@link Dialect#problemPages}. */
        public Builder documentation(URI documentation) {
            this.documentation = documentation;
            return this;
        }

        public Builder maxRequestBody(long bytes) {
            this.maxRequestBody = bytes;
            return this;
        }

        /** How long a client may make a duplicate wait with {@code Prefer: wait}; zero for not at all. */
        public Builder maxPreferredWait(Duration limit) {
            this.maxPreferredWait = limit;
            return this;
        }

        /**
         * Whether a client that sends {@code Prefer: respond-async} (RFC 7240) gets 202 as soon as its key is claimed, and
         * asks the status resource for the outcome; not by default. The handler's response is only stored, not sent.
         */
        public Builder respondAsync(boolean respondAsync) {
            this.respondAsync = respondAsync;
            return this;
        }

        /**
         * Whether these rules are in shadow mode; they are not by default. Every request then runs as if there were no rules,
         * and the {@link HttpGate.Builder#shadow recorder} of the gate notes what would have been replayed or refused.
         */
        public Builder shadow(boolean shadow) {
            this.shadow = shadow;
            return this;
        }

        /**
         * The statuses by which the application says that it refused the request before it did anything; none by
         * default. A handler that charges a card and then answers 403 has not refused anything.
         */
        public Builder refusedStatuses(Integer... statuses) {
            this.refusedStatuses = Set.of(statuses);
            return this;
        }

        /**
         * How long a refusal of the application (400, 401, 403, 404, 405, 413, 415, 422, 429) is kept; by default as
         * long as any other response. After that the same key runs again.
         */
        public Builder refusalRetention(Duration active) {
            this.refusalRetention = active;
            return this;
        }

        /**
         * The transactions of a policy with a transactional mode. The application's writes and the outcome become one
         * commit. Only for adapters whose handlers run on one thread.
         */
        public Builder transactions(TransactionRunner<?> runner) {
            this.transactions = runner;
            return this;
        }

        public HttpRules build() {
            return new HttpRules(this);
        }
    }
}
