/** What keys must look like. */
@NullMarked
package dev.semel.http.key;

import org.jspecify.annotations.NullMarked;
