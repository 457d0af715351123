/** What a call costs in the engine itself. */
@NullMarked
package dev.semel.bench.engine;

import org.jspecify.annotations.NullMarked;
