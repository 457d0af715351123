/** Limits for all requests together: memory for bodies, and connections for streams. */
@NullMarked
package dev.semel.gateway.limits;

import org.jspecify.annotations.NullMarked;
