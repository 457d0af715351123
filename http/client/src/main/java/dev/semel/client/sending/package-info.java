/** The time, the threads and the history of the sends of an operation. Internal. */
@NullMarked
package dev.semel.client.sending;

import org.jspecify.annotations.NullMarked;
