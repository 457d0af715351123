/** A small payment service: what it does happens once, however often it is asked to. */
@NullMarked
package dev.semel.examples.payments;

import org.jspecify.annotations.NullMarked;
