package dev.semel.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SemelTracingTest {

    private static final ExternalPolicy CHARGE = Policy.external("charge").build();

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OpenTelemetrySdk otel = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .build();
    private final InMemoryKeyStore store = InMemoryKeyStore.create();
    private final Semel semel =
            Semel.builder(store).tracing(SemelTracing.with(otel)).build();

    @AfterEach
    void close() {
        semel.close();
        otel.close();
    }

    @Test
    void aCallHasASpanForItsClaimItsRunAndItsSettle() {
        AtomicReference<Span> duringTheRun = new AtomicReference<>();

        semel.operation(CHARGE, OutcomeCodec.text())
                .run(Key.of("secret-scope", "k"), Fingerprint.of("body"), attempt -> {
                    duringTheRun.set(Span.current());
                    return "done";
                });

        SpanData whole = span("semel charge");
        assertThat(List.of(span("claim charge"), span("run charge"), span("settle charge")))
                .allSatisfy(part -> {
                    assertThat(part.getTraceId()).isEqualTo(whole.getTraceId());
                    assertThat(part.getParentSpanId()).isEqualTo(whole.getSpanId());
                });
        assertThat(duringTheRun.get().getSpanContext().getSpanId())
                .isEqualTo(span("run charge").getSpanId());
        assertThat(whole.getAttributes().get(CallTrace.RESULT)).isEqualTo("executed");
    }

    @Test
    void aReplayIsLinkedToTheTraceThatExecuted() {
        semel.operation(CHARGE, OutcomeCodec.text())
                .run(Key.of("secret-scope", "k"), Fingerprint.of("body"), attempt -> "done");
        SpanData executed = span("semel charge");
        assertThat(semel.find(Key.of("secret-scope", "k"))
                        .toCompletableFuture()
                        .join()
                        .orElseThrow()
                        .traceId())
                .isEqualTo(executed.getTraceId() + "-" + executed.getSpanId());
        spans.reset();

        assertThat(semel.operation(CHARGE, OutcomeCodec.text())
                        .run(Key.of("secret-scope", "k"), Fingerprint.of("body"), attempt -> "never"))
                .isInstanceOf(Execution.Replayed.class);

        SpanData replay = span("replay charge");
        assertThat(replay.getTraceId()).isNotEqualTo(executed.getTraceId());
        assertThat(replay.getLinks()).singleElement().satisfies(link -> {
            assertThat(link.getSpanContext().getTraceId()).isEqualTo(executed.getTraceId());
            assertThat(link.getSpanContext().getSpanId()).isEqualTo(executed.getSpanId());
        });
    }

    @Test
    void aCallBelongsToTheSpanThatIsCurrent() {
        Span request = otel.getTracer("test").spanBuilder("POST /payments").startSpan();
        try (Scope scope = request.makeCurrent()) {
            semel.operation(CHARGE, OutcomeCodec.text())
                    .run(Key.of("secret-scope", "k"), Fingerprint.of("body"), attempt -> "done");
        }
        request.end();

        assertThat(span("semel charge").getParentSpanId())
                .isEqualTo(request.getSpanContext().getSpanId());
    }

    @Test
    void anAsynchronousRunEndsWhenItsOutcomeIsKnown() {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        CompletableFuture<Execution<String>> execution = semel.operation(CHARGE, OutcomeCodec.text())
                .runAsync(Key.of("secret-scope", "k"), Fingerprint.of("body"), attempt -> outcome)
                .toCompletableFuture();
        assertThat(spans.getFinishedSpanItems())
                .noneMatch(span -> span.getName().startsWith("run"));

        outcome.complete("done");
        execution.join();

        assertThat(span("run charge").getEndEpochNanos())
                .isLessThanOrEqualTo(span("settle charge").getEndEpochNanos());
    }

    @Test
    void aFailureIsReportedWithoutItsMessage() {
        assertThatThrownBy(() -> semel.operation(CHARGE, OutcomeCodec.text())
                        .run(Key.of("secret-scope", "k"), Fingerprint.of("body"), attempt -> {
                            throw new NotExecutedException("the card 4242 is refused", null);
                        }))
                .isInstanceOf(NotExecutedException.class);

        StatusData status = span("semel charge").getStatus();
        assertThat(status.getDescription()).isEqualTo("NotExecutedException");
        assertThat(span("run charge").hasEnded()).isTrue();
    }

    @Test
    void theScopeAndTheValueOfAKeyAreInNoSpan() {
        semel.operation(CHARGE, OutcomeCodec.text())
                .run(Key.of("secret-scope", "secret-value"), Fingerprint.of("body"), attempt -> "done");
        semel.operation(CHARGE, OutcomeCodec.text())
                .run(Key.of("secret-scope", "secret-value"), Fingerprint.of("body"), attempt -> "done");

        assertThat(spans.getFinishedSpanItems().toString()).doesNotContain("secret-value", "secret-scope");
    }

    @Test
    void whatIsNoPlaceInATraceIsNoLink() {
        assertThat(SpanLinks.read(null)).isNull();
        assertThat(SpanLinks.read("4bf92f3577b34da6a3ce929d0e0e4736")).isNull();
        assertThat(SpanLinks.read("00000000000000000000000000000000-0000000000000000"))
                .isNull();
        assertThat(SpanLinks.read("4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"))
                .isNotNull();
    }

    private SpanData span(String name) {
        List<SpanData> named = spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
        assertThat(named).as(name).hasSize(1);
        return named.get(0);
    }
}
