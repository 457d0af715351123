/** Statements, transactions and rows, as the other packages of PostgreSQL use them. Internal: not for users. */
@NullMarked
package dev.semel.jdbc.postgres.statement;

import org.jspecify.annotations.NullMarked;
