/** A consumer of Kafka records that acts once on each. */
@NullMarked
package dev.semel.kafka;

import org.jspecify.annotations.NullMarked;
