/** Semel on PostgreSQL against the obvious design and against other libraries. */
@NullMarked
package dev.semel.bench.postgres;

import org.jspecify.annotations.NullMarked;
