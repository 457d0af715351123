/** How a store fails. */
@NullMarked
package dev.semel.store;

import org.jspecify.annotations.NullMarked;
