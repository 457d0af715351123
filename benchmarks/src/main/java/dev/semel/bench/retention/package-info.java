/** What it costs to remove expired keys, and to compress or encrypt what is kept. */
@NullMarked
package dev.semel.bench.retention;

import org.jspecify.annotations.NullMarked;
