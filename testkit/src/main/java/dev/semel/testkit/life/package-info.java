/** Random stories of keys, and the comparison of a store with the state machine that they drive. */
@NullMarked
package dev.semel.testkit.life;

import org.jspecify.annotations.NullMarked;
