/** Calls an HTTP API as its clients would, and reports what is not safe to retry. */
@NullMarked
package dev.semel.check;

import org.jspecify.annotations.NullMarked;
