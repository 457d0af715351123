package dev.semel.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperationsInFlightTest {

    /** Half a gigabyte for a hundred thousand of them. */
    @Test
    void fitIntoTheHeap() throws Exception {
        assertThat(OperationsInFlight.bytesPerOperation()).isBetween(500.0, 5_000.0);
    }
}
