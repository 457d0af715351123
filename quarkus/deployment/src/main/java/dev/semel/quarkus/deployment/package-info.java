/** What happens when a Quarkus application with Semel is built. Internal. */
@NullMarked
package dev.semel.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
