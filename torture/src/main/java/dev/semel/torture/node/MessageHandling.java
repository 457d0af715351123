package dev.semel.torture.node;

import dev.semel.Attempt;
import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.messaging.DeadLetters;
import dev.semel.policy.Policy;
import dev.semel.torture.broker.MessageQueue;
import dev.semel.torture.broker.MessageService;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The service as consumers of messages call it, and what they can get wrong themselves. */
record MessageHandling(SemelSystem system, NodeOptions options) implements MessageService {

    private Bug bug() {
        return Bug.named(options.bug());
    }

    @Override
    public Semel semel() {
        return system.semel();
    }

    @Override
    public List<MessageQueue> queues() {
        return MessageQueue.of(system.policies().keySet().stream()
                .filter(Operation::hasConsumers)
                .toList());
    }

    @Override
    public Policy policy(MessageQueue queue) {
        return Objects.requireNonNull(system.policies().get(queue.operation()));
    }

    @Override
    public String scope(MessageQueue queue) {
        return bug().changed(Key.of(queue.scope(), queue.name())).scope();
    }

    @Override
    public Executor executor() {
        return system.executor();
    }

    @Override
    public TransactionRunner<Connection> transactions() {
        return Objects.requireNonNull(system.transactions());
    }

    @Override
    public String key(String sent, String delivered) {
        return bug() == Bug.KEY_OF_DELIVERY ? delivered : sent;
    }

    @Override
    public <M> DeadLetters<M> deadLetters(DeadLetters<M> proper) {
        return bug() == Bug.DEAD_LETTERS_DROPPED ? letter -> CompletableFuture.completedStage(letter) : proper;
    }

    @Override
    public void handle(ServiceRequest request, Attempt attempt) throws Exception {
        if (bug() == Bug.HANDLER_RETURNS_EARLY) {
            CompletableFuture.runAsync(() -> handleLate(request, attempt));
        } else {
            system.handle(request, attempt);
        }
    }

    private void handleLate(ServiceRequest request, Attempt attempt) {
        try {
            system.handle(request, attempt);
        } catch (Exception e) {
            throw new IllegalStateException("the message counts as handled already", e);
        }
    }

    @Override
    public void handle(ServiceRequest request, Attempt attempt, Connection transaction) throws Exception {
        system.handle(request, attempt, transaction);
    }
}
