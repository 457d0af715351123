package dev.semel.opentelemetry;

import dev.semel.Call;
import dev.semel.observe.Tracing;
import dev.semel.policy.Policy;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/**
 * Makes spans of calls: one for the call as a whole, and in it one each for the claim, the run and the settle, or for
 * the replay, which is linked to the call that executed.
 *
 * <p>What is kept with the key is the trace and the span of the call that got it, as {@code TRACE-SPAN}, both in
 * hexadecimal digits. The span of the run is the current one while the operation starts, so that what it calls belongs
 * to it.
 */
public final class SemelTracing implements Tracing {

    private final Tracer tracer;

    private SemelTracing(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Reports spans to an OpenTelemetry. */
    public static SemelTracing with(OpenTelemetry openTelemetry) {
        return new SemelTracing(openTelemetry.getTracer("dev.semel"));
    }

    @Override
    public Trace begin(Policy policy, Call call) {
        String operation = policy.operation();
        Span span = tracer.spanBuilder("semel " + operation)
                .setParent(Context.current())
                .setAttribute(CallTrace.OPERATION, operation)
                .setAttribute(CallTrace.KEY, call.key().digest().toString())
                .startSpan();
        return new CallTrace(tracer, operation, span, Context.current().with(span));
    }
}
