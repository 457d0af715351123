package dev.semel.outbox;

import dev.semel.messaging.Backoff;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * How a relay works.
 *
 * @param batch about how many messages of a destination are under way at once
 * @param timeout how long one delivery may take before it is tried again
 * @param maxAttempts how often a delivery is tried before the message is given up; 0 forever
 * @param poll how often a sleeping relay looks for messages without a notification
 * @param retention how long delivered messages are kept
 * @param receiverRemembers after which age a message that was tried is given up; {@code null} if it is only warned of
 */
record RelaySettings(
        DataSource dataSource,
        OutboxName name,
        int batch,
        Duration timeout,
        Backoff backoff,
        int maxAttempts,
        Duration poll,
        Duration retention,
        @Nullable Duration receiverRemembers) {}
