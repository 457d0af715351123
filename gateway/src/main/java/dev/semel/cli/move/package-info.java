/** Copies keys between stores, and imports from and exports to tables that are not Semel's. */
@NullMarked
package dev.semel.cli.move;

import org.jspecify.annotations.NullMarked;
