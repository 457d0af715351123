/** A RabbitMQ consumer that acts once on each message, and a publisher that waits for the broker's confirmation. */
@NullMarked
package dev.semel.rabbitmq;

import org.jspecify.annotations.NullMarked;
