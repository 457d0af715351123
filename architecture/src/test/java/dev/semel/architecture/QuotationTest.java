package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Code in the documentation is quoted from code that is compiled and run. */
class QuotationTest {

    private static final String TASKS = "examples/tasks/src/test/java/dev/semel/examples/tasks/Tasks.java";
    private static final int MOST_LINES = 10;
    private static final Pattern QUOTATION =
            Pattern.compile("<!-- quoted: (\\S+)#(\\S+) -->\n```(?:java|kotlin)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SOURCE = Pattern.compile(" *// quoted: (\\S+)\n(.*?)// end\n", Pattern.DOTALL);

    /**
     * A block of code in a page.
     *
     * @param page where it stands
     * @param file which file it is from
     * @param name which part of that
     * @param text as the page has it
     */
    record Quotation(Path page, String file, String name, String text) {

        @Override
        public String toString() {
            return SourceModule.ROOT.relativize(page) + ": " + name;
        }
    }

    static List<Quotation> quotations() {
        List<Quotation> quotations = new ArrayList<>();
        for (Path page : SourceModule.pages()) {
            Matcher matcher = QUOTATION.matcher(SourceModule.read(page));
            while (matcher.find()) {
                quotations.add(new Quotation(page, matcher.group(1), matcher.group(2), matcher.group(3)));
            }
        }
        return quotations;
    }

    @ParameterizedTest
    @MethodSource("quotations")
    void aPageQuotesWhatIsCompiled(Quotation quotation) {
        assertThat(sources(quotation.file()))
                .filteredOn(source -> source.group(1).equals(quotation.name()))
                .singleElement()
                .extracting(source -> source.group(2).stripIndent())
                .isEqualTo(quotation.text());
    }

    @Test
    void everyTaskIsQuotedAndTakesTenLines() {
        assertThat(sources(TASKS))
                .hasSize(5)
                .allSatisfy(source -> assertThat(source.group(2).lines()).hasSizeLessThanOrEqualTo(MOST_LINES));
        assertThat(quotations())
                .filteredOn(quotation -> quotation.file().equals(TASKS))
                .extracting(Quotation::name)
                .containsAll(
                        sources(TASKS).stream().map(source -> source.group(1)).toList());
    }

    private static List<MatchResult> sources(String file) {
        return SOURCE.matcher(SourceModule.read(SourceModule.ROOT.resolve(file)))
                .results()
                .toList();
    }
}
