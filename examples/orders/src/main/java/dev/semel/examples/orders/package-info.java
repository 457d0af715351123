/** An order service, a relay and a shipping service that act once on each order, whatever is killed on the way. */
@NullMarked
package dev.semel.examples.orders;

import org.jspecify.annotations.NullMarked;
