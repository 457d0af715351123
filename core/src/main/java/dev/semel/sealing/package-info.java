/** Compression and encryption of what a store keeps, at rest: {@link dev.semel.sealing.Sealing}. */
@NullMarked
package dev.semel.sealing;

import org.jspecify.annotations.NullMarked;
