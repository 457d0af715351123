package dev.semel.http.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.http.header.IdempotencyKeyHeader.InvalidKeyException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyHeaderTest {

    private static String parse(String line) throws InvalidKeyException {
        return IdempotencyKeyHeader.parse("Idempotency-Key", List.of(line), false, 255);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"8e03978e\" | 8e03978e",
                "\"a b\" | a b",
                "\"say \\\"hi\\\"\" | say \"hi\"",
                "\"back\\\\slash\" | back\\slash",
                "\"k\";a=1;b=\"x\" | k",
                "k-1_2.3:4/5+6=7~8 | k-1_2.3:4/5+6=7~8"
            })
    void p1P2ReadsTheValue(String line, String value) throws InvalidKeyException {
        assertThat(parse(line)).isEqualTo(value);
    }

    @Test
    void p2DropsWhiteSpaceAround() throws InvalidKeyException {
        assertThat(parse(" \"k\" ")).isEqualTo("k");
        assertThat(parse(" k\t")).isEqualTo("k");
    }

    @Test
    void p2StrictRefusesTheBareForm() {
        for (String line : List.of("k", "8e03978e", "42", "?1", ":YQ==:")) {
            assertThatThrownBy(() -> IdempotencyKeyHeader.parse("Idempotency-Key", List.of(line), true, 255))
                    .as(line)
                    .isInstanceOf(InvalidKeyException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\"\"",
                "\"",
                "\"a",
                "\"a\\x\"",
                "\"a\\\"",
                "\"\u00e9\"",
                "\"a\u007f\"",
                "\"a\tb\"",
                "\"a\" \"b\"",
                "\"a\",\"b\"",
                "\"a\";",
                "a b",
                "a,b",
                "a\"b",
                "\u00e9",
                "a;b=1",
                "k\u0000",
                "{}",
                "<k>"
            })
    void p3RefusesWhatIsMalformed(String line) {
        assertThatThrownBy(() -> parse(line)).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void p3CountsTheLengthAfterUnquoting() throws InvalidKeyException {
        assertThat(parse("\"" + "\\\\".repeat(255) + "\"")).hasSize(255);
        assertThatThrownBy(() -> parse("\"" + "k".repeat(256) + "\""))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("256")
                .hasMessageContaining("255");
        assertThatThrownBy(() -> parse("k".repeat(100_000))).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void p3RefusesMoreThanOneLine() {
        assertThatThrownBy(() -> IdempotencyKeyHeader.parse("Idempotency-Key", List.of("a", "a"), false, 255))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("2 Idempotency-Key header lines");
    }
}
