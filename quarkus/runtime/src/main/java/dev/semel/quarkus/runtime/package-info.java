/** The beans and the Quarkus REST filters of the extension. Internal. */
@NullMarked
package dev.semel.quarkus.runtime;

import org.jspecify.annotations.NullMarked;
