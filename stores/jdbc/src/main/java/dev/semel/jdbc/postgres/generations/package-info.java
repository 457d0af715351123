/** The purge in PostgreSQL: row by row, and by whole generations. Internal: not for users. */
@NullMarked
package dev.semel.jdbc.postgres.generations;

import org.jspecify.annotations.NullMarked;
