/** PostgreSQL. Internal: not for users. */
@NullMarked
package dev.semel.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
