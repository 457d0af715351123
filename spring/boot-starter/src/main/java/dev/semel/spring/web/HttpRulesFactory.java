package dev.semel.spring.web;

import dev.semel.http.Fields;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.KeySource;
import dev.semel.http.ReplayHeaders;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.stored.Redaction;
import dev.semel.http.stored.ReplayHook;
import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.spring.Idempotent;
import dev.semel.spring.operation.Annotated;
import dev.semel.spring.operation.OperationRegistry;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.operation.SemelProperties;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/** Creates the rules of handler methods. */
record HttpRulesFactory(
        SemelProperties.Http properties,
        Policies policies,
        OperationRegistry registry,
        HttpGate gate,
        Dialects dialects,
        @Nullable ReplayHook replayHook,
        ControllerTransactions transactions) {

    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    static HttpRulesFactory of(BeanFactory beans, ControllerTransactions transactions) {
        return new HttpRulesFactory(
                beans.getBean(SemelProperties.class).http(),
                beans.getBean(Policies.class),
                beans.getBean(OperationRegistry.class),
                beans.getBean(HttpGate.class),
                Dialects.of(beans),
                beans.getBeanProvider(ReplayHook.class).getIfAvailable(),
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
            Idempotent idempotent = Annotated.ofHandler(handler.getMethod(), handler.getBeanType());
            Set<String> methods =
                    httpMethods.apply(mapping).stream().map(Enum::name).collect(Collectors.toUnmodifiableSet());
            if (idempotent != null && (Annotated.own(handler.getMethod()) != null || guarded(methods).length > 0)) {
                requireScope.run();
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
        requireGuarded(handlers.values(), found.keySet());
        return Map.copyOf(found);
    }

    private static void requireGuarded(Collection<HandlerMethod> handlers, Set<MethodClassKey> guarded) {
        Map<Class<?>, Boolean> classes = handlers.stream()
                .filter(handler -> Annotated.ofClass(handler.getBeanType()) != null)
                .collect(Collectors.toMap(
                        HandlerMethod::getBeanType,
                        handler -> Annotated.own(handler.getMethod()) == null && guarded.contains(operation(handler)),
                        Boolean::logicalOr));
        classes.forEach((type, guards) -> {
            if (!guards) {
                throw new SemelConfigurationException(
                        "@Idempotent on the controller " + type.getName() + " guards nothing: it has no handler that"
                                + " changes something and has no annotation of its own.",
                        "Remove the annotation from the class.");
            }
        });
    }

    /** The guarded HTTP methods of a handler, out of those that it is mapped to; empty stands for all. */
    private static String[] guarded(Set<String> httpMethods) {
        return httpMethods.isEmpty()
                ? new String[] {"POST", "PATCH"}
                : httpMethods.stream().filter(name -> !isSafe(name)).toArray(String[]::new);
    }

    /** The operation of a request: a method that two controllers inherit is a separate operation of each. */
    static MethodClassKey operation(HandlerMethod handler) {
        return new MethodClassKey(handler.getMethod(), handler.getBeanType());
    }

    /**
     * The rules of a handler method.
     *
     * @param httpMethods the HTTP methods that the handler is mapped to; empty for all of them
     */
    private HttpRules rules(
            Method method, Class<?> type, Idempotent idempotent, Set<String> httpMethods, PathKeys paths) {
        String place = Policies.describe(method, type);
        requireForRequests(idempotent, place);
        EndlessStreams.refuse(method, type);
        Dialect dialect = dialects.of(policies.text(idempotent.dialect()), place);
        Policy policy = policies.policy(method, type, idempotent, dialect.retention());
        String[] guarded = guarded(httpMethods);
        if (guarded.length == 0) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + place + " guards nothing: it is mapped to " + httpMethods + " only.",
                    "Remove the annotation; requests of these methods change nothing.");
        }
        Fields fields = policies.fields(idempotent);
        HttpRules.Builder rules = builder(policy, idempotent, dialect, place)
                .strictHeader(properties.strictHeader())
                .maxRequestBody(properties.maxRequestBody().toBytes())
                .maxPreferredWait(properties.maxPreferredWait())
                .refusedStatuses(properties.refusedStatuses().toArray(Integer[]::new))
                .replayHeaders(
                        ReplayHeaders.standard().and(properties.replayHeaders().toArray(String[]::new)))
                .keyRequired(idempotent.required())
                .respondAsync(idempotent.respondAsync())
                .shadow(properties.shadow())
                .methods(guarded)
                .fields(fields);
        if (properties.headerName() != null) {
            rules.headerName(properties.headerName());
        }
        if (properties.maxKeyLength() != null) {
            rules.maxKeyLength(properties.maxKeyLength());
        }
        if (policy.mode() != Mode.EXTERNAL) {
            rules.transactions(transactions.of(method, type, idempotent));
        }
        keySource(idempotent, place, paths, fields).ifPresent(rules::keySource);
        if (properties.documentation() != null) {
            rules.documentation(properties.documentation());
        }
        if (properties.publishExpiry() != null) {
            rules.publishExpiry(properties.publishExpiry());
        }
        if (replayHook != null) {
            rules.replayHook(replayHook);
        }
        policies.customizers().forEach(customizer -> customizer.customize(policy.operation(), rules));
        HttpRules built = valid(place, rules::build);
        if (properties.statusPath() == null && !built.isShadow() && built.needsStatusResource()) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + place + " answers with 202, but there is nowhere to ask for the outcome.",
                    "Set semel.http.status-path, for example to /operations.");
        }
        registry.add(policy, place);
        gate.validate(built);
        return built;
    }

    /** Rules with the attributes that the annotation sets as text. */
    private HttpRules.Builder builder(Policy policy, Idempotent idempotent, Dialect dialect, String place) {
        String[] secrets = dialect.signatures() == null
                ? new String[0]
                : properties.signatureSecrets().toArray(String[]::new);
        return valid(
                place,
                () -> HttpRules.builder(policy)
                        .dialect(dialect)
                        .signatureSecrets(secrets)
                        .keyCheck(policies.keyCheck(idempotent, dialect.keyCheck()))
                        .neverStored(Redaction.of(Stream.of(idempotent.neverStore())
                                .map(policies::text)
                                .toArray(String[]::new))));
    }

    private static <T> T valid(String place, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + place + " is not valid: " + e.getMessage(),
                    "Correct the annotation, or the semel.* property that it takes its default from.",
                    e);
        }
    }

    private static void requireForRequests(Idempotent idempotent, String place) {
        if (!idempotent.scope().isEmpty()) {
            throw new SemelConfigurationException(
                    "@Idempotent on the controller method " + place + " has a scope, but the caller of a request is"
                            + " the authenticated principal.",
                    "Remove the scope; define a ScopeExtractor bean if the caller is not the principal.");
        }
        if (idempotent.skipInFlight()) {
            throw new SemelConfigurationException(
                    "@Idempotent on the controller method " + place + " says skipInFlight, but a duplicate of a request"
                            + " needs an answer.",
                    "Remove skipInFlight: a duplicate is answered with 409, or with 202 if you say accepted.");
        }
    }

    /** The source that the annotation names; by default, the dialect says where the key is. */
    private Optional<KeySource> keySource(Idempotent idempotent, String place, PathKeys paths, Fields fields) {
        String key = policies.text(idempotent.key());
        List<String> from = Stream.of(idempotent.keyFrom()).map(policies::text).toList();
        if (Stream.of(!key.isEmpty(), !from.isEmpty(), idempotent.keyFields().length > 0)
                        .filter(given -> given)
                        .count()
                > 1) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + place + " names its key in more than one way.",
                    "Keep one of key, keyFields and keyFrom.");
        }
        if (!key.isEmpty()) {
            return Optional.of(KeySource.natural(paths.key(key, place)));
        }
        if (idempotent.keyFields().length > 0) {
            return Optional.of(KeySource.naturalFields(idempotent.keyFields()));
        }
        if (from.isEmpty()) {
            return Optional.empty();
        }
        try {
            String secret = properties.bodyHashSecret();
            return Optional.of(KeySource.parse(
                    from,
                    secret == null
                            ? null
                            : KeySource.bodyHash(secret.getBytes(StandardCharsets.UTF_8), fields)
                                    .withTarget()));
        } catch (IllegalArgumentException e) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + place + " has a keyFrom that is not valid: " + e.getMessage(),
                    "Correct the annotation, or set semel.http.body-hash-secret.",
                    e);
        }
    }
}
