/** Metrics of Semel in a Micrometer registry. */
@NullMarked
package dev.semel.micrometer;

import org.jspecify.annotations.NullMarked;
