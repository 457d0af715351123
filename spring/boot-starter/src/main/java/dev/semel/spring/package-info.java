/** Semel in a Spring Boot application: {@link dev.semel.spring.Idempotent} and what is configured for it. */
@NullMarked
package dev.semel.spring;

import org.jspecify.annotations.NullMarked;
