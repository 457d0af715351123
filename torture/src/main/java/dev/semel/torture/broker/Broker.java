package dev.semel.torture.broker;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A message broker as the conductor uses it. */
public interface Broker extends AutoCloseable {

    /** Where nodes find it. */
    String address();

    /** Sends a message; the stage completes when the broker has it, and fails if that is not known. */
    CompletionStage<?> send(MessageQueue queue, Map<String, String> headers, byte[] body);

    /** Takes every dead letter from now on; called once. */
    void onDeadLetter(Consumer<DeadMessage> listener);

    /** How many messages no consumer has acknowledged. */
    long waiting() throws Exception;

    /** Stops the broker, which keeps what it has, and starts it again. */
    void restart() throws Exception;

    @Override
    void close() throws Exception;
}
