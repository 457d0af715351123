/** Controllers of Spring MVC and Spring WebFlux whose requests run under keys. This package is internal: it may change with any version. */
@NullMarked
package dev.semel.spring.web;

import org.jspecify.annotations.NullMarked;
