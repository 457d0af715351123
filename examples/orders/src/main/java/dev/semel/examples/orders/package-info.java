/** An order service, a relay and a shipping service that act once on each order, even if processes are killed. */
@NullMarked
package dev.semel.examples.orders;

import org.jspecify.annotations.NullMarked;
