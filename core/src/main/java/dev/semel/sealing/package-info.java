/** Compression and encryption of stored data: {@link dev.semel.sealing.Sealing}. */
@NullMarked
package dev.semel.sealing;

import org.jspecify.annotations.NullMarked;
