package dev.semel.opentelemetry;

import dev.semel.Execution;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.Tracing;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The spans of one call. Those of the store are made when they have ended, from what the engine measured. */
final class CallTrace implements Tracing.Trace {

    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("semel.operation");
    static final AttributeKey<String> KEY = AttributeKey.stringKey("semel.key.digest");
    static final AttributeKey<String> RESULT = AttributeKey.stringKey("semel.result");
    static final AttributeKey<String> EXECUTED_IN = AttributeKey.stringKey("semel.executed_in");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("semel.attempt");

    private final Tracer tracer;
    private final String operation;
    private final Span call;
    private final Context context;
    private final AtomicReference<@Nullable Span> run = new AtomicReference<>();

    CallTrace(Tracer tracer, String operation, Span call, Context context) {
        this.tracer = tracer;
        this.operation = operation;
        this.call = call;
        this.context = context;
    }

    @Override
    public @Nullable String id() {
        return SpanLinks.kept(call.getSpanContext());
    }

    @Override
    public void on(SemelEvent.OfKey event) {
        Instant now = Instant.now();
        if (event instanceof SemelEvent.Claimed claimed) {
            call.setAttribute(ATTEMPT, claimed.attempt());
            span("claim", now.minus(claimed.took())).startSpan().end(now);
        } else if (event instanceof SemelEvent.Settled settled) {
            Instant ran = now.minus(settled.took());
            endRun(ran, name(settled.result()));
            span("settle", ran)
                    .setAttribute(RESULT, name(settled.result()))
                    .startSpan()
                    .end(now);
        } else if (event instanceof SemelEvent.Replayed replayed) {
            replayed(replayed, now);
        } else if (event instanceof SemelEvent.FencedOff || event instanceof SemelEvent.SettleFailed) {
            endRun(now, event instanceof SemelEvent.FencedOff ? "fenced" : "settle_failed");
        }
    }

    private void replayed(SemelEvent.Replayed replayed, Instant now) {
        SpanBuilder span = span("replay", now.minus(replayed.waited())).setAttribute(RESULT, name(replayed.result()));
        SpanContext executed = SpanLinks.read(replayed.executedIn());
        if (executed != null) {
            span.addLink(executed);
        }
        if (replayed.executedIn() != null) {
            span.setAttribute(EXECUTED_IN, replayed.executedIn());
        }
        span.startSpan().end(now);
    }

    @Override
    public <R> R running(Callable<R> start) throws Exception {
        Span span = span("run", Instant.now()).startSpan();
        run.set(span);
        try (Scope scope = context.with(span).makeCurrent()) {
            return start.call();
        }
    }

    @Override
    public void ended(@Nullable Execution<?> execution, @Nullable Throwable failure) {
        endRun(Instant.now(), failure == null ? "ended" : "failed");
        if (failure != null) {
            call.setStatus(StatusCode.ERROR, failure.getClass().getSimpleName());
        } else if (execution != null) {
            call.setAttribute(RESULT, execution.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        }
        call.end();
    }

    private void endRun(Instant at, String result) {
        Span span = run.getAndSet(null);
        if (span != null) {
            span.setAttribute(RESULT, result);
            span.end(at);
        }
    }

    private SpanBuilder span(String name, Instant start) {
        return tracer.spanBuilder(name + " " + operation)
                .setParent(context)
                .setAttribute(OPERATION, operation)
                .setStartTimestamp(start);
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
