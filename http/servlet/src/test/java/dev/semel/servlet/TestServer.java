package dev.semel.servlet;

import dev.semel.Semel;
import dev.semel.http.Fields;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.KeySource;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.key.KeyCheck;
import dev.semel.http.stored.Redaction;
import dev.semel.http.stored.ReplayHook;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.ExpectedDialect;
import dev.semel.testkit.http.ExpectedWebhook;
import dev.semel.testkit.http.RuleEndpoint;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import jakarta.servlet.DispatcherType;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The sample application behind the filter, on some container. */
abstract class TestServer implements AutoCloseable {

    /** Fewer than the duplicates that wait at once in a test. */
    static final int THREADS = 16;

    static final int MAX_PAYLOAD = 100_000;
    static final int MAX_BODY = 1 << 20;

    /** Where no key can be made. */
    static final String NO_KEY_PATH = OwnServlet.PATH + "/no-key";

    static final EnumSet<DispatcherType> DISPATCHES =
            EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);

    final SampleService service = new SampleService();
    final SwitchableStore store;
    final Semel semel;
    final SemelFilter filter;
    final ErrorRendering errors;
    final OwnServlet own = new OwnServlet();
    final InnerFilter inner = new InnerFilter();
    final EarlyReader early = new EarlyReader();

    TestServer(ErrorRendering errors, SwitchableStore store) {
        this.errors = errors;
        this.store = store;
        this.semel = Semel.builder(store)
                .patience(Duration.ofSeconds(1), Duration.ofSeconds(3))
                .build();
        Map<Endpoint, HttpRules> rules = new EnumMap<>(Endpoint.class);
        for (Endpoint endpoint : Endpoint.values()) {
            rules.put(endpoint, rules(endpoint));
        }
        Map<String, HttpRules> inDialects = new HashMap<>();
        for (Endpoint endpoint : Endpoint.IN_DIALECTS) {
            for (ExpectedDialect dialect : ExpectedDialect.values()) {
                inDialects.put(
                        endpoint.path(dialect.dialect()),
                        HttpRules.builder(endpoint.policy(dialect.dialect(), dialect.resumes()))
                                .dialect(Dialect.named(dialect.dialect()))
                                .build());
            }
            for (ExpectedWebhook webhook : ExpectedWebhook.values()) {
                inDialects.put(
                        endpoint.path(webhook.dialect()),
                        HttpRules.builder(endpoint.policy(webhook.dialect(), true))
                                .dialect(Dialect.named(webhook.dialect()))
                                .signatureSecrets(ExpectedWebhook.SECRET)
                                .build());
            }
        }
        Map<RuleEndpoint, HttpRules> ownRulesOf = new EnumMap<>(RuleEndpoint.class);
        for (RuleEndpoint endpoint : RuleEndpoint.values()) {
            ownRulesOf.put(endpoint, rules(endpoint));
        }
        HttpGate gate = HttpGate.builder(semel).statusPath(Endpoint.STATUS_PATH).build();
        HttpRules ownRules = HttpRules.builder(Policy.external("own")
                        .duplicates(Duplicates.waitFor(Duration.ofMinutes(1)))
                        .maxPayload(MAX_PAYLOAD)
                        .build())
                .maxRequestBody(MAX_BODY)
                .build();
        HttpRules noKeyRules = HttpRules.builder(Policy.external("no-key").build())
                .keySource(KeySource.natural(head -> {
                    throw new IllegalStateException("the key's source is broken");
                }))
                .build();
        filter = SemelFilter.builder(gate, request -> {
                    String path = request.getRequestURI();
                    if (path.startsWith(OwnServlet.PATH)) {
                        return path.equals(NO_KEY_PATH) ? noKeyRules : ownRules;
                    }
                    if (path.startsWith(Endpoint.IN_DIALECT)) {
                        return inDialects.get(path);
                    }
                    return RuleEndpoint.of(path)
                            .map(ownRulesOf::get)
                            .or(() -> Endpoint.of(path).map(rules::get))
                            .orElse(null);
                })
                .errors(errors)
                .failureAttribute(OwnServlet.FAILURE)
                .build();
    }

    static SwitchableStore inMemory() {
        return new SwitchableStore(InMemoryKeyStore.create());
    }

    private static HttpRules rules(Endpoint endpoint) {
        return HttpRules.builder(endpoint.policy())
                .keyRequired(endpoint.keyRequired())
                .strictHeader(endpoint.strictHeader())
                .publishExpiry(endpoint.publishExpiry())
                .maxPreferredWait(endpoint.maxPreferredWait())
                .fields(Fields.allBut(endpoint.ignoredFields().toArray(String[]::new)))
                .documentation(Endpoint.DOCUMENTATION)
                .build();
    }

    private static HttpRules rules(RuleEndpoint endpoint) {
        KeyCheck check = KeyCheck.of(endpoint.keyFormat());
        HttpRules.Builder rules =
                HttpRules.builder(Policy.external(endpoint.operation()).build());
        if (endpoint == RuleEndpoint.WITHDRAWN) {
            rules.replayHook(replay -> CompletableFuture.completedStage(
                    replay.headers().apply("Authorization").toString().contains(RuleEndpoint.WITHDRAWN_TOKEN)
                            ? ReplayHook.Decision.deny()
                            : ReplayHook.Decision.allow()));
        }
        return rules.keySource(KeySource.parse(
                        endpoint.keyFrom(),
                        KeySource.bodyHash(RuleEndpoint.SECRET.getBytes(StandardCharsets.UTF_8), Fields.all())
                                .withTarget()))
                .respondAsync(endpoint.respondAsync())
                .neverStored(Redaction.of(endpoint.neverStore().toArray(String[]::new)))
                .keyCheck(endpoint.keyMaxAge().map(check::withMaxAge).orElse(check))
                .build();
    }

    abstract int port();

    abstract void stop() throws Exception;

    URI uri() {
        return URI.create("http://127.0.0.1:" + port() + "/");
    }

    @Override
    public void close() throws Exception {
        stop();
        semel.close();
        store.close();
    }
}
