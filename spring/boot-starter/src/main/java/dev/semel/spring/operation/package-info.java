/** The names and policies of an application's operations, and the settings under {@code semel}. This package is internal: it may change with any version. */
@NullMarked
package dev.semel.spring.operation;

import org.jspecify.annotations.NullMarked;
