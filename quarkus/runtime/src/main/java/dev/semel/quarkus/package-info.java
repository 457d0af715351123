/** Semel in a Quarkus application: the configuration under {@code semel}, and the attempt of a request. */
@NullMarked
package dev.semel.quarkus;

import org.jspecify.annotations.NullMarked;
