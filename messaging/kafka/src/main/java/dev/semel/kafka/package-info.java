/** A Kafka consumer that acts once on each record. */
@NullMarked
package dev.semel.kafka;

import org.jspecify.annotations.NullMarked;
