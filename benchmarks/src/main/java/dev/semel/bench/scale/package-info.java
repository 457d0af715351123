/** Several gateways on one store: what a request costs, and whether that grows with their number. */
@NullMarked
package dev.semel.bench.scale;

import org.jspecify.annotations.NullMarked;
