/** The application's JSON library, which writes and reads what methods return. This package is internal: it may change with any version. */
@NullMarked
package dev.semel.spring.json;

import org.jspecify.annotations.NullMarked;
