/** A small payment service: each operation happens once, however often the request arrives. */
@NullMarked
package dev.semel.examples.payments;

import org.jspecify.annotations.NullMarked;
