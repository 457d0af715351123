/** The meaning of every event that can end an operation, for each front end: one table, and its tests. */
@NullMarked
package dev.semel.testkit.failures;

import org.jspecify.annotations.NullMarked;
