/** The interfaces that a store implements: {@link dev.semel.spi.KeyStore} and the optional capabilities. */
@NullMarked
package dev.semel.spi;

import org.jspecify.annotations.NullMarked;
