/** The state machine of a key, and what stores that use it share. */
@NullMarked
package dev.semel.spi.life;

import org.jspecify.annotations.NullMarked;
