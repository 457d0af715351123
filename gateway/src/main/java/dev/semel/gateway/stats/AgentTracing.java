package dev.semel.gateway.stats;

import dev.semel.observe.Tracing;
import dev.semel.opentelemetry.SemelTracing;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.TracerProvider;

/** Spans for the OpenTelemetry agent that the gateway was started with, if it was. */
public final class AgentTracing {

    private AgentTracing() {}

    public static Tracing find() {
        OpenTelemetry agent = GlobalOpenTelemetry.get();
        return agent.getTracerProvider() == TracerProvider.noop() ? Tracing.NONE : SemelTracing.with(agent);
    }
}
