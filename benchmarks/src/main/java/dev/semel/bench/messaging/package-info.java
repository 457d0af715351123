/** Consumers and the outbox, each with and without Semel. */
@NullMarked
package dev.semel.bench.messaging;

import org.jspecify.annotations.NullMarked;
