/** Attempts that run in this process, and the heartbeat that keeps their leases. Internal: not for users. */
@NullMarked
package dev.semel.lease;

import org.jspecify.annotations.NullMarked;
