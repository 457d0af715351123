package dev.semel.rest;

import dev.semel.Attempt;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.ReceiveLimits;
import dev.semel.http.RuleFinder;
import dev.semel.http.ScopeExtractor;
import dev.semel.policy.Policy;
import dev.semel.rest.message.Messages;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.WriterInterceptor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes resource methods with {@link Idempotent} safe to retry. Register one instance with the
 * application.
 *
 * <p>The key is claimed after authentication and authorization, and before every filter whose priority is
 * {@link Priorities#HEADER_DECORATOR} or later. A response is captured behind all other filters and interceptors, as the client gets it.
 */
public final class SemelFeature implements Feature {

    /** After authorization: a caller that may not call must not learn of a key. */
    static final int CLAIM_PRIORITY = Priorities.AUTHORIZATION + 500;

    /** Filters of responses run in descending order, and interceptors wrap those of higher numbers. To Jersey, 0 is none. */
    private static final int OUTERMOST = 1;

    private final HttpGate gate;
    private final @Nullable RuleFinder<ContainerRequestContext> finder;
    private final Map<String, HttpRules> rules;
    private final ScopeExtractor<ContainerRequestContext> scopes;
    private final ReceiveLimits receiving;
    private final Executor executor;

    private SemelFeature(Builder builder) {
        this.gate = builder.gate;
        this.finder = builder.finder;
        this.rules = new ConcurrentHashMap<>(builder.rules);
        this.scopes = builder.scopes;
        this.receiving = builder.receiving;
        this.executor = builder.executor;
    }

    /** A feature in which every operation has the default rules, unless you set others with {@link Builder#rules}. */
    public static Builder builder(HttpGate gate) {
        return new Builder(gate, null);
    }

    /** A feature that finds the rules of each request to a marked method with {@code finder}. */
    public static Builder builder(HttpGate gate, RuleFinder<ContainerRequestContext> finder) {
        return new Builder(gate, finder);
    }

    /** The attempt of this request, for resource methods and filters; empty if the request is not guarded. */
    public static Optional<Attempt> attempt(ContainerRequestContext request) {
        return Optional.ofNullable(RestExchange.of(request)).map(RestExchange::attempt);
    }

    @Override
    public boolean configure(FeatureContext context) {
        RestRuntime runtime = RestRuntime.of(context);
        context.register(new StatusFilter(gate, scopes), CLAIM_PRIORITY);
        context.register((DynamicFeature) (resource, method) -> guard(resource, method, runtime));
        return true;
    }

    private void guard(ResourceInfo resource, FeatureContext context, RestRuntime runtime) {
        Idempotent mark = find(resource);
        if (mark == null) {
            return;
        }
        RuleFinder<ContainerRequestContext> found = finder;
        if (found == null) {
            HttpRules own = rules.computeIfAbsent(name(mark, resource), SemelFeature::standard);
            gate.validate(own);
            found = request -> own;
        }
        boolean suspends = Arrays.stream(resource.getResourceMethod().getParameterAnnotations())
                .flatMap(Arrays::stream)
                .anyMatch(Suspended.class::isInstance);
        ClaimFilter claim = new ClaimFilter(gate, found, scopes, receiving, runtime, executor, suspends);
        context.register(claim, Map.of(ContainerRequestFilter.class, CLAIM_PRIORITY));
        context.register(
                new CaptureFilter(),
                Map.of(ContainerResponseFilter.class, OUTERMOST, WriterInterceptor.class, OUTERMOST));
    }

    private static HttpRules standard(String operation) {
        return HttpRules.of(Policy.external(operation).build());
    }

    private static String name(Idempotent mark, ResourceInfo resource) {
        return mark.value().isEmpty()
                ? resource.getResourceClass().getSimpleName() + "."
                        + resource.getResourceMethod().getName()
                : mark.value();
    }

    /** The mark of the method, of one that it overrides, or of a class: annotations of resources are inherited. */
    private static @Nullable Idempotent find(ResourceInfo resource) {
        Method method = resource.getResourceMethod();
        Idempotent mark = find(resource.getResourceClass(), type -> markOf(type, method));
        return mark == null ? find(resource.getResourceClass(), type -> type.getAnnotation(Idempotent.class)) : mark;
    }

    private static @Nullable Idempotent find(@Nullable Class<?> type, Function<Class<?>, @Nullable Idempotent> mark) {
        if (type == null) {
            return null;
        }
        Idempotent found = mark.apply(type);
        for (int i = 0; found == null && i < type.getInterfaces().length; i++) {
            found = find(type.getInterfaces()[i], mark);
        }
        return found == null ? find(type.getSuperclass(), mark) : found;
    }

    private static @Nullable Idempotent markOf(Class<?> type, Method method) {
        try {
            return type.getDeclaredMethod(method.getName(), method.getParameterTypes())
                    .getAnnotation(Idempotent.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Builds a {@link SemelFeature}. */
    public static final class Builder {

        private final HttpGate gate;
        private final @Nullable RuleFinder<ContainerRequestContext> finder;
        private final Map<String, HttpRules> rules = new ConcurrentHashMap<>();
        private ScopeExtractor<ContainerRequestContext> scopes = Messages::principal;
        private ReceiveLimits receiving = ReceiveLimits.standard();
        private Executor executor = ForkJoinPool.commonPool();

        private Builder(HttpGate gate, @Nullable RuleFinder<ContainerRequestContext> finder) {
            this.gate = gate;
            this.finder = finder;
        }

        /** Sets the rules for an operation, which the policy of the rules names. */
        public Builder rules(HttpRules own) {
            if (own.transactions() != null) {
                throw new IllegalArgumentException("operation " + own.policy().operation()
                        + " has transactions, which end before a response is written here: give it an external policy, and run"
                        + " a TransactionalOperation inside the resource method");
            }
            gate.validate(own);
            if (rules.putIfAbsent(own.policy().operation(), own) != null) {
                throw new IllegalArgumentException("operation " + own.policy().operation() + " was given rules before");
            }
            return this;
        }

        /** Identifies the caller; by default the name of the principal in the {@code SecurityContext}. */
        public Builder scope(ScopeExtractor<ContainerRequestContext> extractor) {
            this.scopes = extractor;
            return this;
        }

        /** How fast the body of a request must arrive. */
        public Builder receiving(ReceiveLimits limits) {
            this.receiving = limits;
            return this;
        }

        /** The executor that answers duplicates that have waited; the common pool by default. */
        public Builder executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        public SemelFeature build() {
            return new SemelFeature(this);
        }
    }
}
