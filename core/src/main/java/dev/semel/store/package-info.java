/** The exceptions of stores. */
@NullMarked
package dev.semel.store;

import org.jspecify.annotations.NullMarked;
