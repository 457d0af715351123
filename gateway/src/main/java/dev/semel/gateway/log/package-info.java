/** What the gateway writes to its log, and how. */
@NullMarked
package dev.semel.gateway.log;

import org.jspecify.annotations.NullMarked;
