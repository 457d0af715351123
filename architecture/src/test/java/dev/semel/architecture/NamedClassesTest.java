package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages that explain the code name classes that exist. */
class NamedClassesTest {

    /** In the text, what stands in code quotes and looks like a class, perhaps with a member. */
    private static final Pattern QUOTED = Pattern.compile("`([A-Z]\\w*[a-z]\\w*(?:\\.\\w+)?)(?:\\(\\))?`");

    /** In a picture, every word of two humps or more. */
    private static final Pattern DRAWN = Pattern.compile("\\b((?:[A-Z][a-z0-9]+){2,}(?:\\.\\w+)?)");

    private static final Pattern PICTURE = Pattern.compile("```\n(.*?)```", Pattern.DOTALL);

    private static final List<String> PAGES = List.of("docs/architecture.md", "CONTRIBUTING.md");

    private static final Map<String, Map<String, String>> SOURCES = SourceModule.sourcesByName();

    /** What the pages mean by names of several classes: without one of its modules, a name would lead to the wrong class. */
    private static final Map<String, Set<String>> OF_SEVERAL_MODULES = Map.of(
            "Answer", Set.of("attack", "http/protocol"),
            "Answers", Set.of("gateway", "http/servlet", "http/webflux"),
            "CaptureFilter", Set.of("http/jakarta-rest", "quarkus/runtime"),
            "CapturedResponse", Set.of("http/servlet", "http/webflux"),
            "ClaimFilter", Set.of("http/jakarta-rest", "quarkus/runtime"),
            "Dialects", Set.of("http/protocol", "spring/boot-starter", "stores/jdbc"),
            "Lane", Set.of("stores/jdbc", "stores/redis"));

    static List<String> pages() {
        return PAGES;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void aPageNamesClassesThatExist(String page) {
        assertThat(namesIn(page)).hasSizeGreaterThan(5).allMatch(NamedClassesTest::exists);
    }

    @Test
    void aNameOfSeveralClassesMeansThoseThatAreKnown() {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (String page : PAGES) {
            for (String name : namesIn(page)) {
                String type = name.split("\\.")[0];
                modules.put(type, SOURCES.getOrDefault(type, Map.of()).keySet());
            }
        }
        modules.entrySet()
                .removeIf(each -> each.getValue().size() == 1 && !OF_SEVERAL_MODULES.containsKey(each.getKey()));

        assertThat(modules).isEqualTo(OF_SEVERAL_MODULES);
    }

    private static Set<String> namesIn(String page) {
        Set<String> names = new LinkedHashSet<>();
        Matcher pictures = PICTURE.matcher(SourceModule.read(SourceModule.ROOT.resolve(page)));
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
        return SOURCES.getOrDefault(parts[0], Map.of()).values().stream()
                .anyMatch(source -> parts.length == 1
                        || Pattern.compile("\\b" + parts[1] + "\\b")
                                .matcher(source)
                                .find());
    }
}
