/** How a call gets its key, runs, and settles. Internal: not for users. */
@NullMarked
package dev.semel.engine;

import org.jspecify.annotations.NullMarked;
