/** What metrics, traces and logs are made of: events, who listens to them, and what an engine is doing. */
@NullMarked
package dev.semel.observe;

import org.jspecify.annotations.NullMarked;
