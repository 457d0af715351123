/** The use of this gateway by each caller, and its limits. */
@NullMarked
package dev.semel.gateway.quota;

import org.jspecify.annotations.NullMarked;
