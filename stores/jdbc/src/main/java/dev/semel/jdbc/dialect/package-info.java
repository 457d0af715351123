/**
 * The interfaces that each kind of database implements: its statements for keys, and its failures. Internal: not for
 * users.
 */
@NullMarked
package dev.semel.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
