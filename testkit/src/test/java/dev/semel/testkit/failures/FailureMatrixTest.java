package dev.semel.testkit.failures;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code -Dsemel.write-docs} writes the tables into the documentation instead of comparing them. */
class FailureMatrixTest {

    private static final String BEGIN = "<!-- table -->\n";
    private static final String END = "<!-- end -->\n";

    @Test
    void theDocumentationHasTheTableOfFrontEnds() throws Exception {
        compare(Path.of("..", "docs", "failures.md"), FailureMatrix.load().toMarkdown());
    }

    @Test
    void theDocumentationHasTheTableOfTheEngine() throws Exception {
        compare(Path.of("..", "docs", "guarantees.md"), EngineFailures.load().toMarkdown());
    }

    private static void compare(Path file, String table) throws Exception {
        String page = Files.readString(file);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        if (System.getProperty("semel.write-docs") != null) {
            Files.writeString(file, page.substring(0, begin) + table + page.substring(end));
            return;
        }
        assertThat(page.substring(begin, end))
                .as("the table of %s; run this test with -Dsemel.write-docs to write it", file)
                .isEqualTo(table);
    }
}
