/** Counters and measurements of a running gateway. */
@NullMarked
package dev.semel.gateway.stats;

import org.jspecify.annotations.NullMarked;
