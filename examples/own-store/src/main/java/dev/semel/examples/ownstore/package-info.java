/** An example: a store of one's own, on H2. */
@NullMarked
package dev.semel.examples.ownstore;

import org.jspecify.annotations.NullMarked;
