/** The in-memory store, for tests and for services of a single process. */
@NullMarked
package dev.semel.memory;

import org.jspecify.annotations.NullMarked;
