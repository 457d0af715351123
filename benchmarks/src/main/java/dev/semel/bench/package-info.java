/** Benchmarks: what Semel costs and gains, against the obvious design and against others. */
@NullMarked
package dev.semel.bench;

import org.jspecify.annotations.NullMarked;
