/** Races: many threads that do the same thing at the same moment. */
@NullMarked
package dev.semel.testkit.race;

import org.jspecify.annotations.NullMarked;
