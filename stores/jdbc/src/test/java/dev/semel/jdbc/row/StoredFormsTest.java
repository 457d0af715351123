package dev.semel.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Header;
import dev.semel.Outcome;
import dev.semel.spi.KeyRecord.HistoryEntry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers, steps and history survive their way through the database. */
class StoredFormsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "tab\there",
                "line\r\nend",
                "zero\0",
                "back\\slash \\u0041",
                "\ud83d\ude80",
                "\ud800 alone",
                "a\udc00"
            })
    void anyTextComesBackAndStaysOnOneLine(String text) {
        String escaped = EscapedText.escape(text);

        assertThat(EscapedText.unescape(escaped)).isEqualTo(text);
        assertThat(escaped).doesNotContain("\n", "\t", "\0");
        assertThat(new String(escaped.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(escaped);
    }

    @Test
    void headersKeepTheirOrderAndTheirRepetitions() {
        List<Header> headers = List.of(
                new Header("Set-Cookie", "a=1"), new Header("Location", "/x\ty"), new Header("Set-Cookie", "b=2"));
        Outcome outcome = Outcome.succeeded()
                .contentType("text/plain; charset=utf-8")
                .headers(headers)
                .build();

        StoredHeaders lines = StoredHeaders.decode(StoredHeaders.encode(outcome));

        assertThat(lines.contentType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(lines.headers()).isEqualTo(headers);
    }

    @Test
    void anOutcomeWithoutHeadersTakesNoRoom() {
        assertThat(StoredHeaders.encode(Outcome.succeeded().build())).isNull();
        assertThat(StoredHeaders.decode(null)).isEqualTo(new StoredHeaders(null, List.of()));
    }

    @Test
    void theFirstResultOfAStepCounts() {
        byte[] stored = concat(
                StoredSteps.encode("charge", new byte[] {1}),
                StoredSteps.encode("mail", new byte[0]),
                StoredSteps.encode("charge", new byte[] {2}));

        assertThat(StoredSteps.decode(stored)).containsOnlyKeys("charge", "mail");
        assertThat(StoredSteps.decode(stored).get("charge")).containsExactly(1);
        assertThat(StoredSteps.decode(stored).get("mail")).isEmpty();
        assertThat(StoredSteps.decode(null)).isEmpty();
    }

    @Test
    void aHistoryWhoseBeginningWasCutOffShowsTheRest() {
        String stored = "11-15T04:45:00.000000Z\t1\t7\ttaken over\tcut\n"
                + "2026-11-15T04:45:00.123456Z\t2\t8\tresolved\tby hand\\u000ain two lines\n";

        assertThat(StoredHistory.decode(stored))
                .containsExactly(new HistoryEntry(
                        Instant.parse("2026-11-15T04:45:00.123456Z"), 2, 8, "resolved", "by hand\nin two lines"));
        assertThat(StoredHistory.decode(null)).isEmpty();
    }

    private static byte[] concat(byte[]... parts) {
        var all = new java.io.ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
