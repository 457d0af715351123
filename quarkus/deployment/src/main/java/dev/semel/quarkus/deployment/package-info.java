/** The build steps of the Quarkus extension. Internal. */
@NullMarked
package dev.semel.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
