package dev.semel.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.ReceiveLimits;
import dev.semel.http.spool.Spool;
import dev.semel.webflux.Bodies.Filling;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Flux;

class BodiesTest {

    private static final Flux<DataBuffer> BODY = Flux.range(0, 100).map(BodiesTest::buffer);
    private static final Flux<DataBuffer> SLOW_BODY =
            Flux.interval(Duration.ofMillis(5)).take(1000).map(BodiesTest::buffer);

    private static DataBuffer buffer(Object ignored) {
        return DefaultDataBufferFactory.sharedInstance.wrap("x".getBytes(StandardCharsets.UTF_8));
    }

    private static Filling fill(Flux<DataBuffer> body, int limit, ReceiveLimits receiving) {
        try (Spool spool = Spool.of(limit)) {
            return Bodies.fill(spool, body, receiving).block(Duration.ofSeconds(20));
        }
    }

    @Test
    void takesAWholeBody() {
        assertThat(fill(BODY, 100, ReceiveLimits.standard())).isEqualTo(Filling.WHOLE);
        assertThat(fill(Flux.empty(), 100, ReceiveLimits.standard())).isEqualTo(Filling.WHOLE);
    }

    @Test
    void takesNoBodyThatIsTooLarge() {
        assertThat(fill(BODY, 99, ReceiveLimits.standard())).isEqualTo(Filling.TOO_LARGE);
    }

    @Test
    void takesNoBodyThatTakesTooLong() {
        ReceiveLimits receiving = ReceiveLimits.within(Duration.ofMillis(20), 0);

        assertThat(fill(SLOW_BODY, 2000, receiving)).isEqualTo(Filling.TOO_SLOW);
    }

    @Test
    void takesNoBodyThatTricklesIn() {
        assertThat(fill(
                        SLOW_BODY,
                        2000,
                        ReceiveLimits.within(Duration.ofMinutes(1), 1000).withGrace(Duration.ofMillis(20))))
                .isEqualTo(Filling.TOO_SLOW);
    }
}
