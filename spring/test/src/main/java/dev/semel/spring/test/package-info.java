/** Tests for Spring Boot applications that use Semel. */
@NullMarked
package dev.semel.spring.test;

import org.jspecify.annotations.NullMarked;
