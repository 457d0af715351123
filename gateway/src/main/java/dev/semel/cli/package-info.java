/** The {@code semel} command. */
@NullMarked
package dev.semel.cli;

import org.jspecify.annotations.NullMarked;
