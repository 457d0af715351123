/** How a store notices that its database was restored from an older copy. Internal: not for users. */
@NullMarked
package dev.semel.jdbc.epoch;

import org.jspecify.annotations.NullMarked;
