/** Calls of the store that are sent again, given up, or not sent while it does not answer. Internal: not for users. */
@NullMarked
package dev.semel.retry;

import org.jspecify.annotations.NullMarked;
