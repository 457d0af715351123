package dev.semel.messaging;

import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.policy.TransactionalPolicy;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** A handler of any kind, and how it is bound to an engine. */
public final class Handling<M> {

    private final boolean transactional;
    private final BiFunction<Semel, Policy, BoundHandler<M>> binding;

    private Handling(boolean transactional, BiFunction<Semel, Policy, BoundHandler<M>> binding) {
        this.transactional = transactional;
        this.binding = binding;
    }

    public static <M> Handling<M> blocking(MessageHandler<M> handler) {
        return async((message, attempt) -> {
            try {
                handler.handle(message, attempt);
                return CompletableFuture.completedStage(null);
            } catch (Exception e) {
                return CompletableFuture.failedStage(e);
            }
        });
    }

    public static <M> Handling<M> async(AsyncMessageHandler<M> handler) {
        return new Handling<>(
                false, (semel, policy) -> new ExternalHandler<>(semel.operation((ExternalPolicy) policy), handler));
    }

    public static <M, C> Handling<M> in(TransactionRunner<C> transactions, TransactionalMessageHandler<M, C> handler) {
        return new Handling<>(
                true,
                (semel, policy) -> new HandlerInTransaction<>(
                        semel.operation((TransactionalPolicy) policy, transactions), handler));
    }

    boolean isTransactional() {
        return transactional;
    }

    BoundHandler<M> bind(Semel semel, Policy policy) {
        if (transactional == (policy.mode() == Mode.EXTERNAL)) {
            throw new IllegalArgumentException("operation \"" + policy.operation() + "\" has mode " + policy.mode()
                    + ", which is not for a handler " + (transactional ? "in" : "without") + " a transaction; make its"
                    + " policy with Policy." + (transactional ? "transactional" : "external") + "()");
        }
        return binding.apply(semel, policy);
    }
}
