package dev.semel.spring.web;

import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.KeySource;
import dev.semel.http.ReplayHeaders;
import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.spring.Idempotent;
import dev.semel.spring.operation.OperationRegistry;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.operation.SemelProperties;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/** Makes the rules of handler methods. */
record HttpRulesFactory(
        SemelProperties.Http properties,
        Policies policies,
        OperationRegistry registry,
        HttpGate gate,
        ControllerTransactions transactions) {

    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    static HttpRulesFactory of(BeanFactory beans, ControllerTransactions transactions) {
        return new HttpRulesFactory(
                beans.getBean(SemelProperties.class).http(),
                beans.getBean(Policies.class),
                beans.getBean(OperationRegistry.class),
                beans.getBean(HttpGate.class),
                transactions);
    }

    /** Whether requests of this method are never guarded, because they change nothing. */
    static boolean isSafe(String httpMethod) {
        return SAFE.contains(httpMethod);
    }

    /**
     * The rules of all handler methods that are marked.
     *
     * @param <M> how a kind of Spring application maps requests to a handler
     * @param factory is asked for nothing if there is none
     */
    static <M> Map<MethodClassKey, HttpRules> ofMarked(
            Map<M, HandlerMethod> handlers,
            Function<M, Set<RequestMethod>> httpMethods,
            Function<M, PathKeys> paths,
            Supplier<HttpRulesFactory> factory,
            Runnable requireScope) {
        Map<MethodClassKey, HttpRules> found = new HashMap<>();
        handlers.forEach((mapping, handler) -> {
            Idempotent idempotent = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), Idempotent.class);
            if (idempotent != null) {
                requireScope.run();
                Set<String> methods =
                        httpMethods.apply(mapping).stream().map(Enum::name).collect(Collectors.toUnmodifiableSet());
                found.put(
                        operation(handler),
                        factory.get()
                                .rules(
                                        handler.getMethod(),
                                        handler.getBeanType(),
                                        idempotent,
                                        methods,
                                        paths.apply(mapping)));
            }
        });
        return Map.copyOf(found);
    }

    /** What a request is for: a method that two controllers inherit is an operation of each. */
    static MethodClassKey operation(HandlerMethod handler) {
        return new MethodClassKey(handler.getMethod(), handler.getBeanType());
    }

    /**
     * The rules of a handler method.
     *
     * @param httpMethods what the handler is mapped to; empty for everything
     */
    private HttpRules rules(
            Method method, Class<?> type, Idempotent idempotent, Set<String> httpMethods, PathKeys paths) {
        String place = Policies.describe(method, type);
        requireForRequests(idempotent, place);
        EndlessStreams.refuse(method, type);
        Policy policy = policies.policy(method, type, idempotent);
        String[] guarded = httpMethods.isEmpty()
                ? new String[] {"POST", "PATCH"}
                : httpMethods.stream().filter(name -> !isSafe(name)).toArray(String[]::new);
        if (guarded.length == 0) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + place + " guards nothing: it is mapped to " + httpMethods + " only.",
                    "Remove the annotation; requests of these methods change nothing.");
        }
        HttpRules.Builder rules = HttpRules.builder(policy)
                .headerName(properties.headerName())
                .strictHeader(properties.strictHeader())
                .maxKeyLength(properties.maxKeyLength())
                .maxRequestBody(properties.maxRequestBody().toBytes())
                .publishExpiry(properties.publishExpiry())
                .maxPreferredWait(properties.maxPreferredWait())
                .refusedStatuses(properties.refusedStatuses().toArray(Integer[]::new))
                .replayHeaders(
                        ReplayHeaders.standard().and(properties.replayHeaders().toArray(String[]::new)))
                .keyRequired(idempotent.required())
                .keySource(keySource(idempotent, place, paths))
                .methods(guarded)
                .fields(policies.fields(idempotent));
        if (policy.mode() != Mode.EXTERNAL) {
            rules.transactions(transactions.of(method, type, idempotent));
        }
        if (properties.documentation() != null) {
            rules.documentation(properties.documentation());
        }
        policies.customizers().forEach(customizer -> customizer.customize(policy.operation(), rules));
        HttpRules built = rules.build();
        if (properties.statusPath() == null && idempotent.accepted()) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + place + " answers duplicates with 202, but there is nowhere to ask for the"
                            + " outcome.",
                    "Set semel.http.status-path, for example to /operations.");
        }
        registry.add(policy, place);
        gate.validate(built);
        return built;
    }

    private static void requireForRequests(Idempotent idempotent, String place) {
        if (!idempotent.scope().isEmpty()) {
            throw new SemelConfigurationException(
                    "@Idempotent on the controller method " + place + " has a scope, but the caller of a request is"
                            + " whoever was authenticated.",
                    "Remove the scope; define a ScopeExtractor bean if the caller is not the principal.");
        }
        if (idempotent.skipInFlight()) {
            throw new SemelConfigurationException(
                    "@Idempotent on the controller method " + place + " says skipInFlight, but a duplicate of a request"
                            + " needs an answer.",
                    "Remove skipInFlight: a duplicate is answered with 409, or with 202 if you say accepted.");
        }
    }

    private KeySource keySource(Idempotent idempotent, String place, PathKeys paths) {
        String key = policies.text(idempotent.key());
        if (!key.isEmpty()) {
            return KeySource.natural(paths.key(key, place));
        }
        return idempotent.keyFields().length > 0 ? KeySource.naturalFields(idempotent.keyFields()) : KeySource.header();
    }
}
