/** Other designs for the same purpose, tortured in the same way. */
@NullMarked
package dev.semel.torture.peers;

import org.jspecify.annotations.NullMarked;
