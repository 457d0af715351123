/** JSON in its canonical form, and small JSON texts. Internal. */
@NullMarked
package dev.semel.http.json;

import org.jspecify.annotations.NullMarked;
