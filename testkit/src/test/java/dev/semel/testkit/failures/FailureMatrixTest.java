package dev.semel.testkit.failures;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code -Dsemel.write-docs} writes the table into the documentation instead of comparing it. */
class FailureMatrixTest {

    private static final Path PAGE = Path.of("..", "docs", "failures.md");
    private static final String BEGIN = "<!-- table -->\n";
    private static final String END = "<!-- end -->\n";

    @Test
    void theDocumentationHasTheTable() throws Exception {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        String table = FailureMatrix.load().toMarkdown();
        if (System.getProperty("semel.write-docs") != null) {
            Files.writeString(PAGE, page.substring(0, begin) + table + page.substring(end));
            return;
        }
        assertThat(page.substring(begin, end))
                .as("the table of %s; run this test with -Dsemel.write-docs to write it", PAGE)
                .isEqualTo(table);
    }
}
