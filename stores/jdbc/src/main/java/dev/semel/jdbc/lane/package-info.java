/** Batching lanes: they send concurrent calls to the database together, many in one statement. Internal: not for users. */
@NullMarked
package dev.semel.jdbc.lane;

import org.jspecify.annotations.NullMarked;
