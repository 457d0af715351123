/** Keys that go from one store to another, or come from, and go to, a table that is not Semel's. */
@NullMarked
package dev.semel.cli.move;

import org.jspecify.annotations.NullMarked;
