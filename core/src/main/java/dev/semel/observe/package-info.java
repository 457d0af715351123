/** Events, listeners and tracing, for metrics, traces and logs. */
@NullMarked
package dev.semel.observe;

import org.jspecify.annotations.NullMarked;
