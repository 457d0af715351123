package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.spi.Resolution;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(ints = {1, 99, 100, 199, 600, 999})
    void aDecisionHasTheStatusOfAFinalResponse(int status) {
        Outcome outcome = Outcome.succeeded().status(status).build();

        assertThatThrownBy(() -> new Resolution.Settle(outcome))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("between 200 and 599, got " + status);
    }

    @Test
    void aDecisionCannotBreakTheHeadOfAResponse() {
        assertRefused("a/b\r\nSet-Cookie: x", new Header("X-Fine", "1"), "content type");
        assertRefused("a/b", new Header("X-Note", "one\ntwo"), "value of header \"X-Note\"");
        assertRefused("a/b", new Header("X-Note", "\u0000"), "U+0000");
        assertRefused("a/b", new Header("X Note:", "1"), "\"X Note:\"");
    }

    @Test
    void aDecisionMayHaveNoStatusAndAnyPrintableHeader() {
        Outcome outcome = Outcome.failed()
                .headers(List.of(new Header("X-Note", "a\tb \u00e4")))
                .build();

        assertThat(outcome.requireReplayable()).isSameAs(outcome);
    }

    private static void assertRefused(String contentType, Header header, String why) {
        Outcome outcome = Outcome.succeeded()
                .status(200)
                .contentType(contentType)
                .headers(List.of(header))
                .build();
        assertThatThrownBy(() -> new Resolution.Settle(outcome))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
