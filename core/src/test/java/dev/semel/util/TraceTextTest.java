package dev.semel.util;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TraceTextTest {

    @Test
    void givesBackWhatItHasJoined() {
        String text = TraceText.join("4bf92f35", "POST /charges on gateway-1");

        assertThat(TraceText.traceId(text)).isEqualTo("4bf92f35");
        assertThat(TraceText.about(text)).isEqualTo("POST /charges on gateway-1");
    }

    @Test
    void hasADashForNoTrace() {
        String text = TraceText.join(null, "POST /charges");

        assertThat(text).isEqualTo("- POST /charges");
        assertThat(TraceText.traceId(text)).isNull();
    }

    @Test
    void isTheTraceAloneIfNothingElseIsKnown() {
        assertThat(TraceText.join("4bf92f35", " ")).isEqualTo("4bf92f35");
        assertThat(TraceText.join(null, null)).isNull();
    }

    @Test
    void isOneLineWithoutControlCharacters() {
        assertThat(TraceText.join(null, "\tPOST /a\r\nb\u0000\u007fc ä\n")).isEqualTo("- POST /a  b  c ä");
    }

    @Test
    void leavesTheEndOfALongTextOut() {
        assertThat(TraceText.about(TraceText.join(null, "x".repeat(300))))
                .hasSize(250)
                .endsWith("x…");
    }
}
