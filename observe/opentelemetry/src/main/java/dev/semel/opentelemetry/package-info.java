/** Spans of Semel in an OpenTelemetry tracer. */
@NullMarked
package dev.semel.opentelemetry;

import org.jspecify.annotations.NullMarked;
