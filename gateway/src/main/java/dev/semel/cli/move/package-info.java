/** Keys that come from, and go to, a table that is not Semel's. */
@NullMarked
package dev.semel.cli.move;

import org.jspecify.annotations.NullMarked;
