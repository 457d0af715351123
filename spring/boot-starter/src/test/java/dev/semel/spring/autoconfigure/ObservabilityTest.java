package dev.semel.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.http.behaviour.ClientBehaviour;
import dev.semel.micrometer.SemelMetrics;
import dev.semel.observe.Tracing;
import dev.semel.policy.Policy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Metrics and spans are there when the application has a place for them. */
class ObservabilityTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    StoreAutoConfiguration.class,
                    SemelAutoConfiguration.class,
                    MetricsAutoConfiguration.class,
                    TracingAutoConfiguration.class))
            .withPropertyValues("semel.store=memory");

    @Test
    void withoutARegistryThereAreNoMetrics() {
        application.run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(SemelMetrics.class);
            assertThat(context.getBean(Tracing.class)).isSameAs(Tracing.NONE);
        });
    }

    @Test
    void countsInTheRegistryOfTheApplication() {
        application.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            charge(context.getBean(Semel.class));

            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("idempotency.miss")
                            .tags("operation", "charge", "store", "memory")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("idempotency.hit").counters()).isNotEmpty();
            assertThat(registry.get("idempotency.running").gauge().value()).isZero();
            assertThat(context).hasSingleBean(ClientBehaviour.class);
        });
    }

    @Test
    void makesSpansInTheOpenTelemetryOfTheApplication() {
        InMemorySpanExporter spans = InMemorySpanExporter.create();
        OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .build();
        application.withBean(OpenTelemetry.class, () -> sdk).run(context -> {
            charge(context.getBean(Semel.class));

            assertThat(spans.getFinishedSpanItems())
                    .extracting(SpanData::getName)
                    .contains("claim charge", "run charge", "settle charge", "replay charge");
        });
        sdk.close();
    }

    private static void charge(Semel semel) {
        ExternalOperation<String> charge =
                semel.operation(Policy.external("charge").build(), OutcomeCodec.text());
        charge.run(Key.of("scope", "k"), Fingerprint.of("body"), attempt -> "done");
        charge.run(Key.of("scope", "k"), Fingerprint.of("body"), attempt -> "done");
    }
}
