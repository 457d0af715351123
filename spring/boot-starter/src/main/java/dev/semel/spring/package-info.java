/** Semel in a Spring Boot application: {@link dev.semel.spring.Idempotent} and its customization. */
@NullMarked
package dev.semel.spring;

import org.jspecify.annotations.NullMarked;
