package dev.semel.quarkus.runtime;

import dev.semel.http.Admission;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.ReceiveLimits;
import dev.semel.http.ReplayHeaders;
import dev.semel.http.RuleFinder;
import dev.semel.http.ScopeExtractor;
import dev.semel.http.dialect.Dialect;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.quarkus.SemelConfig;
import dev.semel.rest.message.Messages;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The rules of all operations, and the gate that keeps them. */
@ApplicationScoped
public class RestGuard {

    private final HttpGate gate;
    private final SemelConfig config;
    private final Dialect dialect;
    private final Map<String, HttpRules> rules = new ConcurrentHashMap<>();
    private final @Nullable RuleFinder<ContainerRequestContext> finder;
    private final ScopeExtractor<ContainerRequestContext> scopes;
    private final ReceiveLimits receiving;
    private final MarkedOperations marked;

    @Inject
    public RestGuard(
            HttpGate gate,
            SemelConfig config,
            @Any Instance<HttpRules> rules,
            @Any Instance<RuleFinder<ContainerRequestContext>> finders,
            @Any Instance<ScopeExtractor<ContainerRequestContext>> scopes,
            @Any Instance<ReceiveLimits> receiving,
            MarkedOperations marked) {
        this.gate = gate;
        this.config = config;
        this.dialect = Dialect.named(config.dialect());
        this.finder = finders.isUnsatisfied() ? null : finders.get();
        this.scopes = scopes.isUnsatisfied() ? this::configured : scopes.get();
        this.receiving = receiving.isUnsatisfied() ? ReceiveLimits.standard() : receiving.get();
        this.marked = marked;
        rules.forEach(this::add);
    }

    private void add(HttpRules own) {
        String operation = own.policy().operation();
        if (own.transactions() != null) {
            throw new IllegalArgumentException("operation " + operation
                    + " has transactions, which end before a response is written here: give it an external policy, and run"
                    + " a TransactionalOperation inside the resource method");
        }
        gate.validate(own);
        if (rules.putIfAbsent(operation, own) != null) {
            throw new IllegalArgumentException("there are two HttpRules beans for the operation " + operation);
        }
    }

    private @Nullable String configured(ContainerRequestContext request) {
        return config.scope().orElseGet(() -> Messages.principal(request));
    }

    /** Looks at a request; {@code operation} is {@code null} where no resource method is known. */
    public Admission admit(ContainerRequestContext request, @Nullable String operation) {
        return gate.admit(Messages.head(request), operation == null ? null : rules(request, operation));
    }

    private @Nullable HttpRules rules(ContainerRequestContext request, String operation) {
        return finder != null ? finder.find(request) : rules.computeIfAbsent(operation, this::standard);
    }

    public @Nullable String scope(ContainerRequestContext request) {
        return scopes.scope(request);
    }

    public ReceiveLimits receiving() {
        return receiving;
    }

    /** The rules of an operation that has no {@code HttpRules} bean. */
    private HttpRules standard(String operation) {
        HttpRules rules = unbound(operation);
        gate.validate(rules);
        return rules;
    }

    private HttpRules unbound(String operation) {
        SemelConfig.Http http = config.http();
        HttpRules.Builder made = HttpRules.builder(Policy.external(operation)
                        .lease(config.lease())
                        .retention(new Retention(config.retention(), config.audit(), config.tombstone()))
                        .maxPayload(Math.toIntExact(config.maxPayload().asLongValue()))
                        .build())
                .dialect(dialect)
                .strictHeader(http.strictHeader())
                .maxRequestBody(http.maxRequestBody().asLongValue())
                .maxPreferredWait(http.maxPreferredWait())
                .refusedStatuses(http.refusedStatuses().orElse(List.of()).toArray(Integer[]::new))
                .replayHeaders(ReplayHeaders.standard()
                        .and(http.replayHeaders().orElse(List.of()).toArray(String[]::new)));
        http.headerName().ifPresent(made::headerName);
        http.maxKeyLength().ifPresent(made::maxKeyLength);
        http.documentation().ifPresent(made::documentation);
        http.publishExpiry().ifPresent(made::publishExpiry);
        return made.build();
    }

    /**
     * Binds the operations of the application, so that their lapsed keys are resolved before their first request. An
     * application that finds rules by itself binds them in its gate; the configuration is checked all the same.
     */
    public void start() {
        unbound("semel.check");
        if (finder == null) {
            marked.operations().forEach(operation -> rules.computeIfAbsent(operation, this::standard));
        }
    }
}
