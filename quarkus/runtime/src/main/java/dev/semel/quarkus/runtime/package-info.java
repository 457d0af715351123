/** What the extension puts into an application: the filters of Quarkus REST, and the beans. Internal. */
@NullMarked
package dev.semel.quarkus.runtime;

import org.jspecify.annotations.NullMarked;
