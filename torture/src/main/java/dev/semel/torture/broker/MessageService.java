package dev.semel.torture.broker;

import dev.semel.Attempt;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.messaging.ConsumerBuilder;
import dev.semel.messaging.DeadLetters;
import dev.semel.policy.Policy;
import dev.semel.torture.service.ServiceRequest;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/** What a node does with messages, whatever broker they come from. */
public interface MessageService {

    /** Few, so that a message that is always refused does not hold its partition back for long. */
    int MAX_ATTEMPTS = 4;

    Semel semel();

    List<MessageQueue> queues();

    Policy policy(MessageQueue queue);

    /** Whom the keys of the queue belong to. */
    String scope(MessageQueue queue);

    Executor executor();

    TransactionRunner<Connection> transactions();

    /**
     * The key of a message.
     *
     * @param sent what its sender has named it
     * @param delivered what the broker has named it
     */
    String key(String sent, String delivered);

    /** Where its dead letters go, if this is where they should go. */
    <M> DeadLetters<M> deadLetters(DeadLetters<M> proper);

    void handle(ServiceRequest request, Attempt attempt) throws Exception;

    void handle(ServiceRequest request, Attempt attempt, Connection transaction) throws Exception;

    /** Sets what the consumers of all brokers have in common. */
    default <B extends ConsumerBuilder<B, M>, M> B configured(B consumer, MessageQueue queue, DeadLetters<M> dead) {
        return consumer.policy(policy(queue))
                .scope(scope(queue))
                .executor(executor())
                .deadLetters(deadLetters(dead))
                .deadLetterUnknown()
                .maxAttempts(MAX_ATTEMPTS)
                .drain(Duration.ofSeconds(1));
    }
}
