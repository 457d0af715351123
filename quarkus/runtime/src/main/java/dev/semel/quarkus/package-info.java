/** Semel in a Quarkus application: what is configured under {@code semel}, and the attempt that a request is. */
@NullMarked
package dev.semel.quarkus;

import org.jspecify.annotations.NullMarked;
