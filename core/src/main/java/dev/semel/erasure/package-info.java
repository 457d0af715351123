/** Removing the records of a scope. */
@NullMarked
package dev.semel.erasure;

import org.jspecify.annotations.NullMarked;
