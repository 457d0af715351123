/** Each other store against the least that could be done on its engine. */
@NullMarked
package dev.semel.bench.stores;

import org.jspecify.annotations.NullMarked;
