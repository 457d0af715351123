/** Keeps results as JSON: {@link dev.semel.jackson.Jackson3Json}, or {@link dev.semel.jackson.Jackson2Json}. */
@NullMarked
package dev.semel.jackson;

import org.jspecify.annotations.NullMarked;
