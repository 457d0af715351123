/** Who sends a request, as far as the gateway can trust it. */
@NullMarked
package dev.semel.gateway.identity;

import org.jspecify.annotations.NullMarked;
