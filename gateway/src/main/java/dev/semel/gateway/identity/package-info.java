/** Identification of callers, from sources that the gateway can trust. */
@NullMarked
package dev.semel.gateway.identity;

import org.jspecify.annotations.NullMarked;
