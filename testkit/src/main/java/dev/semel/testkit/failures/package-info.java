/** What each thing that can end an operation means to its key, for each front end: one table, and the tests of it. */
@NullMarked
package dev.semel.testkit.failures;

import org.jspecify.annotations.NullMarked;
