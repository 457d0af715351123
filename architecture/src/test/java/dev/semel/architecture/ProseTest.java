package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What people read contains none of the phrases in {@code config/prose.txt}. */
class ProseTest {

    /** A phrase, and what to write instead. */
    private record Rule(Pattern phrase, String suggestion) {}

    /** A place where a phrase is right. */
    private record Allowed(String file, String around) {}

    private static final Path RULES = SourceModule.ROOT.resolve("config/prose.txt");

    /** A line break with the sign that starts the next line of a comment. */
    private static final String SPACE = "\\\\s+(?:(?:\\\\*|//|--|#)\\\\s+)?";

    /** How far around a phrase the text of an exception may be. */
    private static final int AROUND = 60;

    @Test
    void whatPeopleReadIsPlainEnglish() {
        List<Rule> rules = rules();
        List<Allowed> allowed = allowed();
        List<String> unread = lines("skip ").toList();
        List<String> found = new ArrayList<>();
        for (Path file : Prose.files()) {
            String name = Prose.nameOf(file);
            if (unread.stream().anyMatch(name::startsWith)) {
                continue;
            }
            String source = SourceModule.read(file);
            for (Prose prose : Prose.in(name, source)) {
                for (Rule rule : rules) {
                    for (Matcher matcher = rule.phrase.matcher(prose.text()); matcher.find(); ) {
                        int place = prose.placeOf(matcher.start());
                        String around = source.substring(
                                Math.max(0, place - AROUND), Math.min(source.length(), place + AROUND));
                        if (allowed.stream().noneMatch(one -> one.file.equals(name) && around.contains(one.around))) {
                            found.add("%s:%d: \"%s\": %s"
                                    .formatted(
                                            name,
                                            lineOf(place, source),
                                            matcher.group().replaceAll("\\s+", " "),
                                            rule.suggestion));
                        }
                    }
                }
            }
        }

        assertThat(found)
                .as("phrases to replace, or to add to the exceptions in config/prose.txt")
                .isEmpty();
    }

    @Test
    void aPhraseIsFoundAcrossTheLinesOfAComment() {
        Rule rule = rule("has no place => is not possible");

        assertThat(rule.phrase
                        .matcher("/**\n * This has\n * no place here.\n */")
                        .find())
                .isTrue();
        assertThat(rule.phrase.matcher("This has-no place").find()).isFalse();
    }

    @Test
    void codeIsNotRead() {
        assertThat(Prose.in("src/main/A.java", "int nobody = 1; // somebody"))
                .extracting(prose -> prose.text().strip())
                .containsExactly("// somebody");
        assertThat(Prose.in("a.md", "a `nobody` b")).extracting(Prose::text).containsExactly("a          b");
    }

    @Test
    void commentsAndDescriptionsOfAPomAreRead() {
        assertThat(Prose.in("core/pom.xml", "<a>nobody</a><!-- b --><description>c</description>"))
                .extracting(prose -> prose.text().strip().replaceAll("\\s+", " "))
                .containsExactly("<!-- b --><description>c</description>");
    }

    @Test
    void testsThatUsersReadAreReadWhole() {
        String source = "class A {\n    void starts() {} // somebody\n}\n";

        assertThat(Prose.in("examples/recipes/src/test/java/A.java", source))
                .extracting(prose -> prose.text().strip())
                .contains("// somebody");
        assertThat(Prose.in("core/src/test/java/A.java", source))
                .extracting(prose -> prose.text().strip())
                .doesNotContain("// somebody");
    }

    @Test
    void theWordsOfPublicTypesAndOfTestsAreRead() {
        assertThat(Prose.in("src/main/A.java", "public sealed interface G9HTTPAnswer {\n    void isNoTest();\n}\n"))
                .extracting(Prose::text)
                .contains("G9 HTTP Answer")
                .doesNotContain("is No Test");
        assertThat(Prose.in("src/test/ATest.java", "class ATest {\n    @Test void startsHere() {}\n}\n"))
                .extracting(Prose::text)
                .containsExactly("A Test", "starts Here");
        assertThat(Prose.in("src/test/A.kt", "fun `a caller waits`() {\n"))
                .extracting(Prose::text)
                .containsExactly("a caller waits");
    }

    private static long lineOf(int place, String text) {
        return 1 + text.substring(0, place).chars().filter(c -> c == '\n').count();
    }

    private static List<Rule> rules() {
        return lines("")
                .filter(line -> !line.startsWith("except ") && !line.startsWith("skip "))
                .map(ProseTest::rule)
                .toList();
    }

    private static Rule rule(String line) {
        String[] parts = line.split(" => ", 2);
        if (parts.length < 2) {
            throw new IllegalStateException("expected \"EXPRESSION => SUGGESTION\" in " + RULES + ", got: " + line);
        }
        return new Rule(
                Pattern.compile(
                        "(?<![\\w-])(?:" + parts[0].replaceAll(" ", SPACE) + ")(?![\\w-])", Pattern.CASE_INSENSITIVE),
                parts[1]);
    }

    private static List<Allowed> allowed() {
        return lines("except ")
                .map(line -> line.split(" ", 2))
                .map(parts -> new Allowed(parts[0], parts[1]))
                .toList();
    }

    /** The lines that begin like this, without their beginning. */
    private static Stream<String> lines(String beginning) {
        return SourceModule.read(RULES)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#") && line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()));
    }
}
