/** Threads, processes and ports of a run. */
@NullMarked
package dev.semel.torture.process;

import org.jspecify.annotations.NullMarked;
