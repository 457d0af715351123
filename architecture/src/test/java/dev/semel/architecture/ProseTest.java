package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

    /** Directories with nothing that people of this project have written. */
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", "vendor", ".git", ".mvn");

    /** A line break with the sign that starts the next line of a comment. */
    private static final String SPACE = "\\\\s+(?:(?:\\\\*|//|--|#)\\\\s+)?";

    private static final Pattern JAVA_TEXT = Pattern.compile("\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*+\""
            + "|'(?:\\\\.|[^'\\\\])'|//[^\n]*(?:\n\\s*//[^\n]*)*+|/\\*(?s:.*?)\\*/");

    private static final Pattern MARKDOWN_CODE = Pattern.compile("(?ms)^ *```.*?^ *```|<!--.*?-->|`[^`\n]*`");

    /** How far around a phrase the text of an exception may be. */
    private static final int AROUND = 40;

    @Test
    void whatPeopleReadIsPlainEnglish() {
        List<Rule> rules = rules();
        List<Allowed> allowed = allowed();
        List<String> unread = lines("skip ").toList();
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            String name = nameOf(file);
            if (unread.stream().anyMatch(name::startsWith)) {
                continue;
            }
            String source = SourceModule.read(file);
            String prose = proseOf(name, source);
            for (Rule rule : rules) {
                for (Matcher matcher = rule.phrase.matcher(prose); matcher.find(); ) {
                    String around = source.substring(
                            Math.max(0, matcher.start() - AROUND), Math.min(source.length(), matcher.end() + AROUND));
                    if (allowed.stream().noneMatch(one -> one.file.equals(name) && around.contains(one.around))) {
                        found.add("%s:%d: \"%s\": %s"
                                .formatted(
                                        name,
                                        lineOf(matcher.start(), prose),
                                        matcher.group().replaceAll("\\s+", " "),
                                        rule.suggestion));
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
        assertThat(proseOf("A.java", "int nobody = 1; // somebody").strip()).isEqualTo("// somebody");
        assertThat(proseOf("a.md", "a `nobody` b")).isEqualTo("a          b");
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

    private static List<Path> files() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(SourceModule.ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    return SKIPPED.contains(directory.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (isRead(nameOf(file))) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    /** Documentation, main sources with what they carry, and scripts. */
    private static boolean isRead(String name) {
        if (name.endsWith(".md")) {
            return !name.contains("/") || name.startsWith("docs/");
        }
        return name.equals("semel")
                || name.endsWith(".sh")
                || (name.contains("src/main/") && name.matches(".*\\.(java|sql|lua|js|html)"));
    }

    private static String nameOf(Path file) {
        return SourceModule.ROOT
                .relativize(file)
                .toString()
                .replace(file.getFileSystem().getSeparator(), "/");
    }

    /** The text with everything else blanked out, so that places stay the same. */
    private static String proseOf(String name, String source) {
        if (name.endsWith(".java")) {
            StringBuilder prose = new StringBuilder();
            int at = 0;
            for (Matcher matcher = JAVA_TEXT.matcher(source); matcher.find(); at = matcher.end()) {
                prose.append(blank(source.substring(at, matcher.start()))).append(matcher.group());
            }
            return prose.append(blank(source.substring(at))).toString();
        }
        if (name.endsWith(".md")) {
            return MARKDOWN_CODE.matcher(source).replaceAll(code -> blank(code.group()));
        }
        return source;
    }

    private static String blank(String code) {
        return code.replaceAll("[^\n]", " ");
    }
}
