/** What the gateway counts and measures while it runs. */
@NullMarked
package dev.semel.gateway.stats;

import org.jspecify.annotations.NullMarked;
