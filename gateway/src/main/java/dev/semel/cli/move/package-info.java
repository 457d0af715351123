/** Import from, and export to, tables that are not Semel's. */
@NullMarked
package dev.semel.cli.move;

import org.jspecify.annotations.NullMarked;
