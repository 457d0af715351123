/** The ways in, as a client sees them, and the service behind a gateway. */
@NullMarked
package dev.semel.torture.door;

import org.jspecify.annotations.NullMarked;
