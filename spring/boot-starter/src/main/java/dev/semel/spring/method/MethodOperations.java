package dev.semel.spring.method;

import dev.semel.Attempt;
import dev.semel.FailureMapper;
import dev.semel.Namespace;
import dev.semel.OperationFailedException;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.jackson.Json;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.spring.Idempotent;
import dev.semel.spring.json.JsonResultCodec;
import dev.semel.spring.operation.Asynchronous;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.transaction.CallersTransaction;
import dev.semel.spring.transaction.MethodTransactions;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** Creates operations from {@link Idempotent} on the methods of beans. */
public record MethodOperations(
        Policies policies, Namespace namespace, Json json, MethodTransactions transactions, BeanFactory beans) {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.PlatformTransactionManager", MethodOperations.class.getClassLoader());

    private static final String MONO = "reactor.core.publisher.Mono";
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    MethodOperation read(Method method, Class<?> type, Idempotent idempotent) {
        String place = Policies.describe(method, type);
        MethodChecks.requireInterceptable(method, place);
        Policy policy = policies.policy(method, type, idempotent);
        MethodOperation.Returned returned = returned(method, type);
        ResolvableType result = ResolvableType.forMethodReturnType(method, type);
        ResolvableType value = switch (returned) {
            case VALUE -> result;
            case STAGE, MONO -> result.getGeneric(0);
            case SUSPENDED -> ResolvableType.forType(SuspendingFunctions.result(method, type));
        };
        MethodChecks.requireDone(
                returned == MethodOperation.Returned.VALUE ? Asynchronous.in(method, type) : Asynchronous.in(value),
                place);
        if (policy.mode() != Mode.EXTERNAL && returned != MethodOperation.Returned.VALUE) {
            throw MethodChecks.problem(
                    place + " " + Asynchronous.in(method, type) + ", which cannot run in mode " + policy.mode()
                            + ": its transaction would end before its work does.",
                    "Return the value itself, or use mode EXTERNAL.");
        }
        MethodChecks.requireOneThread(method, type, returned, place);
        MethodChecks.requireNoRequest(idempotent, place);
        requireKey(method, type, idempotent, place);
        MethodChecks.requireNothingReturned(method, idempotent, place);
        Type stored = value.getType() == void.class ? Void.class : value.getType();
        requireReadable(stored, place);
        RetriedMethods.warn(method, type, idempotent, policy, place);
        String[] names = new DefaultParameterNameDiscoverer().getParameterNames(method);
        if (names == null) {
            throw MethodChecks.problem(
                    "The names of the parameters of " + place + " are not known.",
                    "Compile with -parameters, as the Spring Boot plugins do.");
        }
        OutcomeCodec<Optional<Object>> codec = OutcomeCodec.of(
                        new JsonResultCodec(json, stored, policy.operation()), JsonResultCodec.CONTENT_TYPE)
                .mapFailures(this::replayed);
        CallersTransaction joined =
                policy.mode() == Mode.EXTERNAL && returned != MethodOperation.Returned.STAGE && TRANSACTIONS
                        ? CallersTransaction.joinedBy(method, type, beans)
                        : null;
        if (joined != null) {
            MethodChecks.requireNoTransactionAround(method, type, place);
        }
        TransactionRunner<Connection> runner = policy.mode() == Mode.EXTERNAL ? null : transactions.of(method, type);
        return new MethodOperation(
                method,
                returned == MethodOperation.Returned.SUSPENDED
                        ? Arrays.copyOf(names, method.getParameterCount() - 1)
                        : names,
                List.of(method.getParameterTypes()).indexOf(Attempt.class),
                returned,
                idempotent.skipInFlight(),
                policy,
                namespace,
                expression(idempotent.key(), place),
                expression(idempotent.scope(), place),
                policies.fields(idempotent),
                included(idempotent),
                json,
                codec,
                runner,
                SingletonSupplier.of(() -> semel().operation((ExternalPolicy) policy, codec)),
                SingletonSupplier.of(
                        () -> semel().operation((TransactionalPolicy) policy, codec, Objects.requireNonNull(runner))),
                joined);
    }

    private Semel semel() {
        return beans.getBean(Semel.class);
    }

    /** The bean is looked up when it is needed: operations are read before the application's beans are made. */
    private RuntimeException replayed(OperationFailedException stored) {
        return beans.getBeanProvider(FailureMapper.class)
                .getIfAvailable(() -> failure -> failure)
                .map(stored);
    }

    /** Without a key, a call is a child of the attempt that it is passed, under the operation's name. */
    private void requireKey(Method method, Class<?> type, Idempotent idempotent, String place) {
        if (!idempotent.key().isEmpty()) {
            return;
        }
        if (!List.of(method.getParameterTypes()).contains(Attempt.class)) {
            throw MethodChecks.problem(
                    "@Idempotent on " + place + " has no key, and the method has no Attempt parameter: every call"
                            + " would fail.",
                    "Name the parts that identify a call, with key = \"...\"; or add a parameter of type Attempt,"
                            + " and let"
                            + " callers pass the one that they run in.");
        }
        policies.requireName(method, type, idempotent);
    }

    private void requireReadable(Type stored, String place) {
        String unreadable = json.unreadable(stored);
        if (unreadable != null) {
            throw MethodChecks.problem(
                    place + " returns " + stored.getTypeName() + ", which is kept as JSON and cannot be read back, so"
                            + " that every retry would fail: " + unreadable,
                    JsonResultCodec.REMEDY);
        }
    }

    private static MethodOperation.Returned returned(Method method, Class<?> declaring) {
        if (SuspendingFunctions.canRun(method)) {
            return MethodOperation.Returned.SUSPENDED;
        }
        Class<?> type = ResolvableType.forMethodReturnType(method, declaring).toClass();
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return MethodOperation.Returned.STAGE;
        }
        return type.getName().equals(MONO) ? MethodOperation.Returned.MONO : MethodOperation.Returned.VALUE;
    }

    /** With pointers to what is included, other arguments need not even be JSON. */
    private static Predicate<String> included(Idempotent idempotent) {
        List<String> names = Stream.of(idempotent.include())
                .map(pointer -> pointer.split("/", 3))
                .filter(parts -> parts.length > 1)
                .map(parts -> parts[1].replace("~1", "/").replace("~0", "~"))
                .toList();
        return name -> names.isEmpty() || names.contains(name);
    }

    public @Nullable Expression expression(String expression, String place) {
        String text = policies.text(expression);
        try {
            return text.isEmpty() ? null : PARSER.parseExpression(text);
        } catch (ParseException e) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + place + " has an expression that cannot be read: " + e.getMessage(),
                    "Correct the SpEL expression \"" + text + "\".",
                    e);
        }
    }
}
