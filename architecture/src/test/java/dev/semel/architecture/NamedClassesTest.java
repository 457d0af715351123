package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages that explain the code name classes that exist. */
class NamedClassesTest {

    /** In the text, what stands in code quotes and looks like a class, perhaps with a member. */
    private static final Pattern QUOTED = Pattern.compile("`([A-Z]\\w*[a-z]\\w*(?:\\.\\w+)?)(?:\\(\\))?`");

    /** In a picture, every word of two humps or more. */
    private static final Pattern DRAWN = Pattern.compile("\\b((?:[A-Z][a-z0-9]+){2,}(?:\\.\\w+)?)");

    private static final Pattern PICTURE = Pattern.compile("```\n(.*?)```", Pattern.DOTALL);

    private static final Map<String, String> SOURCES = SourceModule.sourcesByName();

    @ParameterizedTest
    @ValueSource(strings = {"docs/architecture.md", "CONTRIBUTING.md"})
    void aPageNamesClassesThatExist(String page) {
        Set<String> names = namesIn(SourceModule.read(SourceModule.ROOT.resolve(page)));

        assertThat(names).hasSizeGreaterThan(5).allMatch(NamedClassesTest::exists);
    }

    private static Set<String> namesIn(String page) {
        Set<String> names = new LinkedHashSet<>();
        Matcher pictures = PICTURE.matcher(page);
        while (pictures.find()) {
            addAll(DRAWN, pictures.group(1), names);
        }
        addAll(QUOTED, pictures.replaceAll(""), names);
        return names;
    }

    private static void addAll(Pattern pattern, String text, Set<String> names) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
    }

    private static boolean exists(String name) {
        String[] parts = name.split("\\.");
        String source = SOURCES.get(parts[0]);
        return source != null
                && (parts.length == 1
                        || Pattern.compile("\\b" + parts[1] + "\\b")
                                .matcher(source)
                                .find());
    }
}
