package dev.semel.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.bench.measure.Result;
import org.junit.jupiter.api.Test;

class WrkTest {

    @Test
    void readsRateAndLatenciesInAnyUnit() {
        Result result = Wrk.parse("""
                  Latency Distribution
                     50%  812.00us
                     75%    1.20ms
                     90%    2.00ms
                     99%    1.50s
                Requests/sec:  12345.67
                """);

        assertThat(result.perSecond()).isEqualTo(12345.67);
        assertThat(result.p50()).isEqualTo(0.812);
        assertThat(result.p99()).isEqualTo(1500);
    }
}
