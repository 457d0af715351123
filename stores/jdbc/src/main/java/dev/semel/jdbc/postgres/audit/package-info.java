/** The audit window in PostgreSQL: records that have outlived their retention. Internal: not for users. */
@NullMarked
package dev.semel.jdbc.postgres.audit;

import org.jspecify.annotations.NullMarked;
