/** How keys are stored in columns, and the writes that MariaDB, MySQL and SQLite share. Internal: not for users. */
@NullMarked
package dev.semel.jdbc.row;

import org.jspecify.annotations.NullMarked;
