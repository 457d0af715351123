package dev.semel.spring.method;

import dev.semel.Execution;
import dev.semel.OutcomeUnknownException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Calls that need Reactor, which an application may not have. */
final class MonoCalls {

    private MonoCalls() {}

    /**
     * A Mono whose subscriber may go away while the operation goes on.
     *
     * @param start runs the operation, and gets a function that turns its Mono into a stage
     */
    static Object of(
            MethodOperation operation,
            Function<
                            Function<Object, CompletionStage<Optional<Object>>>,
                            CompletableFuture<Execution<Optional<Object>>>>
                    start) {
        Mono<Object> call = Mono.deferContextual(
                        context -> Mono.fromFuture(start.apply(mono -> stage(mono, context)), true))
                .flatMap(execution -> Mono.justOrEmpty(execution.get()));
        if (operation.returned() == MethodOperation.Returned.SUSPENDED) {
            call = call.onErrorMap(CancellationException.class, cancelled -> cancelledInside(operation, cancelled));
        }
        return outsideOfTransactions(operation, call);
    }

    /** A coroutine that got the exception itself would end quietly, as if it had been cancelled. */
    private static OutcomeUnknownException cancelledInside(MethodOperation operation, Throwable cancelled) {
        return new OutcomeUnknownException(
                "operation " + operation.policy().operation() + " was cancelled, and what it did is not known",
                cancelled);
    }

    private static Mono<Object> outsideOfTransactions(MethodOperation operation, Mono<Object> call) {
        return operation.joined() == null
                ? call
                : Transactions.running().flatMap(running -> running ? Mono.error(operation::joining) : call);
    }

    /** In the context of the subscriber, which knows, for example, who is calling. */
    private static CompletionStage<Optional<Object>> stage(Object mono, ContextView context) {
        return ((Mono<?>) mono)
                .<Optional<Object>>map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .contextWrite(context)
                .toFuture();
    }

    /** Loaded only where Spring has transactions. */
    private static final class Transactions {

        static Mono<Boolean> running() {
            return TransactionSynchronizationManager.forCurrentTransaction()
                    .map(TransactionSynchronizationManager::isActualTransactionActive)
                    .onErrorReturn(NoTransactionException.class, false);
        }
    }
}
