/** Keys that Semel shares with a table of the application's own, while both are in use. */
@NullMarked
package dev.semel.changeover;

import org.jspecify.annotations.NullMarked;
