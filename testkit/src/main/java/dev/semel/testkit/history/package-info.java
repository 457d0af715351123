/** Histories of what clients asked for and got, and a checker that finds broken guarantees in them. */
@NullMarked
package dev.semel.testkit.history;

import org.jspecify.annotations.NullMarked;
