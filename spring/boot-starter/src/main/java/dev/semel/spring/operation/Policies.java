package dev.semel.spring.operation;

import dev.semel.http.Fields;
import dev.semel.http.key.KeyCheck;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.spring.Idempotent;
import dev.semel.spring.OperationCustomizer;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Creates policies from annotations and from the properties for all of them. */
public record Policies(SemelProperties properties, ConfigurableBeanFactory beans) {

    public Policy policy(Method method, Class<?> type, Idempotent idempotent) {
        return policy(method, type, idempotent, null);
    }

    /** @param promised how long outcomes are kept if nothing else is configured; {@code null} for the default */
    public Policy policy(Method method, Class<?> type, Idempotent idempotent, @Nullable Duration promised) {
        if (isNatural(idempotent)) {
            requireName(method, type, idempotent);
        }
        try {
            return build(method, type, idempotent, promised);
        } catch (IllegalArgumentException e) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + describe(method, type) + " is not valid: " + e.getMessage(),
                    "Correct the annotation, or the semel.* property that it takes its default from.",
                    e);
        }
    }

    private Policy build(Method method, Class<?> type, Idempotent idempotent, @Nullable Duration promised) {
        String operation = operation(method, type, idempotent);
        Policy.Builder<?, ?> policy = switch (idempotent.mode()) {
            case EXTERNAL -> Policy.external(operation).whenStoreIsDown(idempotent.whenStoreIsDown());
            case TRANSACTIONAL -> Policy.transactional(operation);
            case SINGLE_TRANSACTION -> Policy.singleTransaction(operation);
        };
        for (var recovery : idempotent.recovery()) {
            policy.recovery(recovery);
        }
        Class<? extends Throwable>[] notExecuted = idempotent.notExecuted();
        policy.formerly(Stream.of(idempotent.formerly())
                        .map(former -> written(former, method, idempotent))
                        .toArray(String[]::new))
                .lease(duration(idempotent.lease(), properties.lease()))
                .retention(new Retention(
                        duration(idempotent.retention(), retention(promised)),
                        properties.audit(),
                        properties.tombstone()))
                .duplicates(duplicates(idempotent))
                .maxPayload(Math.toIntExact(properties.maxPayload().toBytes()))
                .notExecuted(failure -> Stream.of(notExecuted).anyMatch(named -> named.isInstance(failure)));
        customizers().forEach(customizer -> customizer.customize(operation, policy));
        return policy.build();
    }

    private Duration retention(@Nullable Duration promised) {
        return promised == null || beans.getBean(Environment.class).containsProperty("semel.retention")
                ? properties.retention()
                : promised;
    }

    /** Asked for late: they may need beans that need the engine. */
    public Stream<OperationCustomizer> customizers() {
        return beans.getBeanProvider(OperationCustomizer.class).orderedStream();
    }

    private Duplicates duplicates(Idempotent idempotent) {
        String wait = text(idempotent.waitFor());
        if (idempotent.accepted()) {
            if (!wait.isEmpty()) {
                throw new IllegalArgumentException("a duplicate can either wait (waitFor = \"" + wait
                        + "\") or be answered immediately (accepted = true), not both");
            }
            return Duplicates.accepted();
        }
        return wait.isEmpty() ? Duplicates.reject() : Duplicates.waitFor(parse(wait));
    }

    public Fields fields(Idempotent idempotent) {
        if (idempotent.include().length > 0 && idempotent.ignore().length > 0) {
            throw new IllegalArgumentException("fields can either be included or ignored, not both");
        }
        if (idempotent.include().length > 0) {
            return Fields.only(idempotent.include());
        }
        return idempotent.ignore().length > 0 ? Fields.allBut(idempotent.ignore()) : Fields.all();
    }

    /** The text with its placeholders replaced. */
    public String text(String text) {
        @Nullable String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }

    private static boolean isNatural(Idempotent idempotent) {
        return !idempotent.key().isEmpty()
                || idempotent.keyFields().length > 0
                || Stream.of(idempotent.keyFrom()).anyMatch(Policies::containsName);
    }

    private static boolean containsName(String source) {
        return source.startsWith("path:") || source.startsWith("natural:") || source.startsWith("body-hash");
    }

    /** A key that contains the operation's name must not change when a method is renamed. */
    public void requireName(Method method, Class<?> type, Idempotent idempotent) {
        if (text(idempotent.value()).isEmpty()) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + describe(method, type)
                            + " makes its keys of the operation's name, which is that"
                            + " of the method: once the method or its class is renamed, a retry would be a new key and"
                            + " run again.",
                    "Write @Idempotent(value = \"" + operation(method, type, idempotent) + "\", ...): the name that it"
                            + " had until now, so that stored keys stay valid.");
        }
    }

    private String operation(Method method, Class<?> type, Idempotent idempotent) {
        String name = written(idempotent.value(), method, idempotent);
        return name.isEmpty() ? ClassUtils.getUserClass(type).getSimpleName() + "." + method.getName() : name;
    }

    /**
     * The name that the annotation writes. One on a class is for all its methods, and is completed by the method's name,
     * but never where that would make a key of it.
     */
    private String written(String name, Method method, Idempotent idempotent) {
        String text = text(name);
        return text.isEmpty() || isNatural(idempotent) || Annotated.own(method) != null
                ? text
                : text + "." + method.getName();
    }

    private Duration duration(String text, Duration otherwise) {
        String resolved = text(text);
        return resolved.isEmpty() ? otherwise : parse(resolved);
    }

    /** The required form of an operation's keys, with their maximum age if one is set. */
    public KeyCheck keyCheck(Idempotent idempotent, KeyCheck ofDialect) {
        String format = text(idempotent.keyFormat());
        String maxAge = text(idempotent.keyMaxAge());
        String timeHeader = properties.http().keyTimeHeader();
        KeyCheck check = (format.isEmpty() ? ofDialect : KeyCheck.of(format))
                .withTolerance(properties.http().clockTolerance());
        if (timeHeader != null) {
            check = check.withTimeHeader(timeHeader);
        }
        return maxAge.isEmpty() ? check : check.withMaxAge(parse(maxAge));
    }

    private static Duration parse(String text) {
        return DurationStyle.detectAndParse(text);
    }

    public static String describe(Method method, Class<?> type) {
        String parameters =
                Stream.of(method.getParameterTypes()).map(Class::getSimpleName).collect(Collectors.joining(", "));
        return ClassUtils.getUserClass(type).getName() + "." + method.getName() + "(" + parameters + ")";
    }
}
