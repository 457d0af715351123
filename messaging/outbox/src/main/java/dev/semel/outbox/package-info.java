/** A transactional outbox, and the relay that delivers its messages. */
@NullMarked
package dev.semel.outbox;

import org.jspecify.annotations.NullMarked;
