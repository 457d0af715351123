/** A small service on Quarkus whose charges happen once per key. */
@NullMarked
package dev.semel.examples.quarkus;

import org.jspecify.annotations.NullMarked;
