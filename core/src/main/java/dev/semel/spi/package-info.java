/** What a store implements: {@link dev.semel.spi.KeyStore} and the optional capabilities beside it. */
@NullMarked
package dev.semel.spi;

import org.jspecify.annotations.NullMarked;
