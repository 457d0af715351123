package dev.semel.spring.transaction;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/** Transactions in the context of Reactor, as those of R2DBC are, that begin and end nothing else. */
final class ReactiveTransactions extends AbstractReactiveTransactionManager {

    private static final long serialVersionUID = 1L;

    @Override
    protected Object doGetTransaction(TransactionSynchronizationManager synchronizationManager) {
        return new Object();
    }

    @Override
    protected Mono<Void> doBegin(
            TransactionSynchronizationManager synchronizationManager,
            Object transaction,
            TransactionDefinition definition) {
        return Mono.empty();
    }

    @Override
    protected Mono<Void> doCommit(
            TransactionSynchronizationManager synchronizationManager, GenericReactiveTransaction status) {
        return Mono.empty();
    }

    @Override
    protected Mono<Void> doRollback(
            TransactionSynchronizationManager synchronizationManager, GenericReactiveTransaction status) {
        return Mono.empty();
    }
}
