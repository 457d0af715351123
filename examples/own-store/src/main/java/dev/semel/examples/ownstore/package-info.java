/** An example of your own store, on H2. */
@NullMarked
package dev.semel.examples.ownstore;

import org.jspecify.annotations.NullMarked;
