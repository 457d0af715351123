package dev.semel.opentelemetry;

import dev.semel.Call;
import dev.semel.observe.Tracing;
import dev.semel.policy.Policy;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/**
 * Creates spans for calls: one for the call as a whole, and inside it one each for the claim, the run and the settle,
 * or for the replay, which is linked to the call that executed.
 *
 * <p>The store keeps the trace and the span of the call that got the key, as {@code TRACE-SPAN} in hexadecimal digits.
 * The span of the run is current while the operation starts, so that spans of the operation are its children.
 */
public final class SemelTracing implements Tracing {

    private final Tracer tracer;

    private SemelTracing(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Reports spans to this OpenTelemetry instance. */
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
