package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Links between the pages of the repository lead somewhere, and every page is found from the index. */
class LinksTest {

    private static final Path INDEX = SourceModule.ROOT.resolve("docs/README.md");
    private static final Pattern BLOCK = Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);
    private static final Pattern EXTERNAL = Pattern.compile("[a-z]+:.*");

    static List<Path> pages() {
        return SourceModule.pages();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsSomewhere(Path page) {
        assertThat(links(page)).allSatisfy(link -> {
            Path target = target(page, link);
            assertThat(target).as(link).exists();
            if (link.contains("#")) {
                assertThat(anchors(target)).as(link).contains(link.substring(link.indexOf('#') + 1));
            }
        });
    }

    @Test
    void everyPageIsFoundFromTheIndex() {
        Set<Path> found = new HashSet<>(Set.of(INDEX));
        List<Path> open = new ArrayList<>(found);
        while (!open.isEmpty()) {
            Path page = open.remove(open.size() - 1);
            for (String link : links(page)) {
                Path target = target(page, link);
                if (target.toString().endsWith(".md") && found.add(target)) {
                    open.add(target);
                }
            }
        }

        assertThat(pages())
                .filteredOn(page -> page.startsWith(SourceModule.ROOT.resolve("docs")))
                .isSubsetOf(found);
    }

    @ParameterizedTest
    @ValueSource(ints = 150)
    void theFirstPageIsShort(int lines) {
        assertThat(SourceModule.read(SourceModule.ROOT.resolve("README.md")).lines())
                .hasSizeLessThanOrEqualTo(lines);
    }

    private static List<String> links(Path page) {
        String text = CODE.matcher(BLOCK.matcher(SourceModule.read(page)).replaceAll(""))
                .replaceAll("");
        return LINK.matcher(text)
                .results()
                .map(link -> link.group(1))
                .filter(link -> !EXTERNAL.matcher(link).matches())
                .toList();
    }

    private static Path target(Path page, String link) {
        String path = link.replaceFirst("#.*", "");
        return path.isEmpty() ? page : page.resolveSibling(path).normalize();
    }

    /** The names that GitHub gives to the headings of a page. */
    private static Set<String> anchors(Path page) {
        Set<String> anchors = new HashSet<>();
        if (!Files.isRegularFile(page)) {
            return anchors;
        }
        Matcher heading = HEADING.matcher(BLOCK.matcher(SourceModule.read(page)).replaceAll(""));
        while (heading.find()) {
            anchors.add(heading.group(1)
                    .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .strip()
                    .replace(' ', '-'));
        }
        return anchors;
    }
}
