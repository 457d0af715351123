/** Requests to Spring WebFlux, made safe to retry: {@link dev.semel.webflux.SemelWebFilter}. */
@NullMarked
package dev.semel.webflux;

import org.jspecify.annotations.NullMarked;
