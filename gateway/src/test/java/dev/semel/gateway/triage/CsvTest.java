package dev.semel.gateway.triage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "a,b",
                "say \"hi\"",
                "two\nlines",
                "=cmd()",
                "+1",
                "-1",
                "@x",
                "'",
                "'=x",
                "''",
                "\ttab"
            })
    void readsWhatItWrites(String cell) {
        assertThat(Csv.read(Csv.line(List.of("first", cell, "last")), 10))
                .containsExactly(List.of("first", cell, "last"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"=HYPERLINK(\"http://evil.example\")", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1"})
    void aSpreadsheetTakesNoCellForAFormula(String cell) {
        assertThat(Csv.line(List.of(cell))).matches("(?s)\"?'.*");
    }

    @Test
    void readsWhatSpreadsheetsWrite() {
        assertThat(Csv.read("\ufeffkey,executed\r\n\"order \"\"1\"\"\",yes\r\n\r\norder-2,no", 10))
                .containsExactly(List.of("key", "executed"), List.of("order \"1\"", "yes"), List.of("order-2", "no"));
    }

    @Test
    void refusesFilesWithTooManyRowsAndOpenQuotes() {
        assertThatThrownBy(() -> Csv.read("a\nb\nc\n", 2)).hasMessageContaining("more than 2 rows");
        assertThatThrownBy(() -> Csv.read("a\n\"b\n", 2)).hasMessageContaining("row 2 ends inside of quotes");
    }
}
