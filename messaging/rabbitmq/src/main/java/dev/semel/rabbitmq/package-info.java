/** A consumer of RabbitMQ messages that acts once on each, and a publisher that knows what has arrived. */
@NullMarked
package dev.semel.rabbitmq;

import org.jspecify.annotations.NullMarked;
