/** Random stories of keys, and the comparison of a store with the state machine. */
@NullMarked
package dev.semel.testkit.life;

import org.jspecify.annotations.NullMarked;
