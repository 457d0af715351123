/** Places for a key other than the header: parameters, the path, the body. Internal. */
@NullMarked
package dev.semel.http.carrier;

import org.jspecify.annotations.NullMarked;
