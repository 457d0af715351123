/** The servers that a benchmark starts for itself. */
@NullMarked
package dev.semel.bench.server;

import org.jspecify.annotations.NullMarked;
