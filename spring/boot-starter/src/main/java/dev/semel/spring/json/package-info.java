/**
 * The application's JSON library, for the results of methods. This package is internal: it may change with any version.
 */
@NullMarked
package dev.semel.spring.json;

import org.jspecify.annotations.NullMarked;
