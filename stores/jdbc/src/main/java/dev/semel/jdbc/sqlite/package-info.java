/** SQLite. Internal: not for users. */
@NullMarked
package dev.semel.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
