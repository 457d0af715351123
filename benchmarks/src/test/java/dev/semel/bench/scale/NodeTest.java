package dev.semel.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeTest {

    @Test
    void addsUpAMetricOverItsLabels() {
        assertThat(Node.sums("""
                # HELP idempotency_miss_total A key was claimed
                # TYPE idempotency_miss_total counter
                idempotency_miss_total{operation="a",store="postgresql"} 12.0
                idempotency_miss_total{operation="b",store="postgresql"} 1.5E3
                idempotency_running 3.0
                """))
                .containsEntry("idempotency_miss_total", 1512.0)
                .containsEntry("idempotency_running", 3.0);
    }
}
