/** A transactional outbox, and the relay that delivers what is in it. */
@NullMarked
package dev.semel.outbox;

import org.jspecify.annotations.NullMarked;
