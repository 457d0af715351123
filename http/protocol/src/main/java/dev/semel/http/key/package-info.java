/** The required form of keys. */
@NullMarked
package dev.semel.http.key;

import org.jspecify.annotations.NullMarked;
