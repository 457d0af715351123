/** Faults: how each is injected and healed, in which order, and which ones there were. */
@NullMarked
package dev.semel.torture.fault;

import org.jspecify.annotations.NullMarked;
