package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    @Test
    void equalsByEveryPart() {
        Outcome outcome = Outcome.succeeded()
                .status(201)
                .contentType("text/plain")
                .headers(List.of(new Header("Location", "/1")))
                .payload("hello")
                .build();
        Outcome same = Outcome.builder(Outcome.Result.SUCCEEDED)
                .status(201)
                .contentType("text/plain")
                .headers(List.of(new Header("Location", "/1")))
                .payload("hello")
                .build();
        assertThat(outcome).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(outcome).isNotEqualTo(outcome.withoutPayload());
        assertThat(outcome.withoutPayload().headers()).isEqualTo(outcome.headers());
        assertThat(outcome).isNotEqualTo(Outcome.failed().status(201).build());
    }

    @Test
    void anEmptyPayloadIsNotAMissingOne() {
        assertThat(Outcome.succeeded().build().payload()).isEmpty();
        assertThatThrownBy(() -> Outcome.succeeded().build().withoutPayload().requirePayload())
                .isInstanceOf(SemelException.class)
                .hasMessageContaining("not kept");
    }

    @Test
    void neverShowsItsPayload() {
        assertThat(Outcome.succeeded().payload("card 4242").build().toString()).doesNotContain("4242");
    }

    @Test
    void refusesAStatusOrFormatOutsideItsLimits() {
        assertThatThrownBy(() -> Outcome.succeeded().status(1000).build()).hasMessageContaining("got 1000");
        assertThatThrownBy(() -> Outcome.succeeded().status(-1).build()).hasMessageContaining("got -1");
        assertThatThrownBy(() -> Outcome.succeeded().format(-1).build()).hasMessageContaining("got -1");
    }

    @Test
    void aStoredFailureKeepsTypeAndMessage() {
        Outcome stored = OutcomeCodec.text().encodeFailure(new IllegalStateException("two\nlines"));
        assertThatThrownBy(() -> OutcomeCodec.text().decode(stored))
                .isInstanceOf(OperationFailedException.class)
                .hasMessage("two\nlines")
                .extracting(e -> ((OperationFailedException) e).type())
                .isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void aFailureOfAnotherKindStillDecodesToAnException() {
        assertThatThrownBy(() ->
                        OutcomeCodec.text().decode(Outcome.failed().status(500).build()))
                .isInstanceOf(OperationFailedException.class)
                .hasMessageContaining("status=500");
    }

    @Test
    void aNullTextIsNotAnEmptyOne() {
        OutcomeCodec<String> codec = OutcomeCodec.text();

        assertThat(codec.decode(codec.encode(null))).isNull();
        assertThat(codec.decode(codec.encode(""))).isEmpty();
        assertThat(codec.decode(codec.encode("\u00ff"))).isEqualTo("\u00ff");
    }

    @Test
    void longMessagesAreCut() {
        Outcome stored = OutcomeCodec.text().encodeFailure(new IllegalStateException("x".repeat(100_000)));
        assertThat(stored.requirePayload()).hasSizeLessThan(5_000);
    }
}
