package dev.semel.spring.method;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.OutcomeUnknownException;
import dev.semel.spring.operation.Asynchronous;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.Ordered;

/** Runs methods of beans under their keys. */
public record IdempotentInterceptor(IdempotentMethods methods) implements MethodInterceptor {

    /** Outside of transactions, which have the lowest precedence by default, and inside of method security. */
    public static final int ADVISOR_ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        ProxyMethodInvocation proxied = (ProxyMethodInvocation) invocation;
        MethodOperation operation = methods.operation(proxied.getMethod(), InterceptedCall.targetClass(proxied));
        @Nullable Object[] arguments = proxied.getArguments();
        return switch (operation.returned()) {
            case VALUE -> invoke(operation, proxied, operation.call(arguments));
            case STAGE ->
                start(operation, proxied, operation.call(arguments), IdempotentInterceptor::stage)
                        .thenApply(execution -> execution.get().orElse(null));
            case MONO, SUSPENDED ->
                MonoCalls.of(operation, stage -> start(operation, proxied, operation.call(arguments), stage));
        };
    }

    private @Nullable Object invoke(MethodOperation operation, ProxyMethodInvocation invocation, Call call)
            throws Exception {
        operation.requireNoTransaction();
        Execution<Optional<Object>> execution = operation.isTransactional()
                ? operation
                        .transactional()
                        .obtain()
                        .run(call, (attempt, transaction) -> value(operation, proceed(operation, invocation, attempt)))
                : operation
                        .external()
                        .obtain()
                        .run(call, attempt -> value(operation, proceed(operation, invocation, attempt)));
        boolean skipped = operation.skipInFlight() && execution instanceof Execution.InFlight;
        return skipped ? null : execution.get().orElse(null);
    }

    /** A result may be asynchronous although it is not declared so: its work goes on, or never starts. */
    private static Optional<Object> value(MethodOperation operation, @Nullable Object returned) {
        if (returned != null && Asynchronous.is(returned.getClass())) {
            throw new OutcomeUnknownException(
                    "operation " + operation.policy().operation() + " returned a "
                            + returned.getClass().getName() + ", and its outcome is not known. Declare that the"
                            + " method returns a CompletionStage, a CompletableFuture or a Mono, or return the value"
                            + " itself",
                    null);
        }
        return Optional.ofNullable(returned);
    }

    private CompletableFuture<Execution<Optional<Object>>> start(
            MethodOperation operation,
            ProxyMethodInvocation invocation,
            Call call,
            Function<Object, CompletionStage<Optional<Object>>> stage) {
        return operation
                .external()
                .obtain()
                .runAsync(call, attempt -> {
                    try {
                        Object returned = proceed(operation, invocation, attempt);
                        if (returned == null) {
                            throw new IllegalStateException("the method returned null instead of a stage or a Mono");
                        }
                        return stage.apply(returned);
                    } catch (Exception e) {
                        return CompletableFuture.failedStage(e);
                    }
                })
                .toCompletableFuture();
    }

    private static CompletionStage<Optional<Object>> stage(Object returned) {
        return ((CompletionStage<?>) returned).thenApply(Optional::ofNullable);
    }

    private static @Nullable Object proceed(
            MethodOperation operation, ProxyMethodInvocation invocation, Attempt attempt) throws Exception {
        return InterceptedCall.proceed(invocation, operation.attemptAt(), attempt);
    }
}
