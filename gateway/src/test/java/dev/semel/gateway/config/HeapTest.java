package dev.semel.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HeapTest {

    private static final long HEAP = 384L << 20;

    @Test
    void bodiesGetAQuarterUnlessSomethingElseIsAskedFor() {
        assertThat(Heap.bodies("0", HEAP)).isEqualTo(96 << 20);
        assertThat(Heap.bodies("100k", HEAP)).isEqualTo(100 << 10);
        assertThat(Heap.bodies("192m", HEAP)).isEqualTo(192 << 20);
    }

    @Test
    void refusesBodiesThatDoNotFit() {
        assertThatThrownBy(() -> Heap.bodies("193m", HEAP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("193m")
                .hasMessageContaining("384m")
                .hasMessageContaining("192m or less");
    }

    @Test
    void thereAreAsManyConnectionsAsAreAskedFor() {
        assertThat(Heap.connections("7")).isEqualTo(7);
        assertThat(Heap.connections("0")).isPositive();
    }
}
