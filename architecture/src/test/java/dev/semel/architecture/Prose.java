package dev.semel.architecture;

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

/**
 * A text in a file that people read.
 *
 * @param start where it is in the file
 * @param isName whether it is the words of a name, which stands at {@code start}
 */
record Prose(String text, int start, boolean isName) {

    /** Directories without anything that people of this project have written. */
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", "vendor", ".git", ".mvn");

    private static final Pattern CODE_TEXT = Pattern.compile("\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*+\""
            + "|'(?:\\\\.|[^'\\\\])'|//[^\n]*(?:\n\\s*//[^\n]*)*+|/\\*(?s:.*?)\\*/");

    private static final Pattern MARKDOWN_CODE = Pattern.compile("(?ms)^ *```.*?^ *```|<!--.*?-->|`[^`\n]*`");

    private static final Pattern POM_TEXT = Pattern.compile("(?s)<!--.*?-->|<description>.*?</description>");

    private static final Pattern TEST_NAME = Pattern.compile("\\b(?:void|fun|Stream<\\w+>) `?((?<=`)[^`]+|\\w+)`?\\(");

    /** The name of a type at the top of a file, or of a public one. */
    private static final Pattern TYPE_NAME =
            Pattern.compile("(?m)^(?: *public |(?=[a-z])).*?\\b(?:class|interface|record|enum) (\\w+)");

    private static final Pattern NEXT_WORD = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

    /** Every file with prose. */
    static List<Path> files() {
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
                    if (hasText(nameOf(file)) || hasNames(nameOf(file))) {
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

    static String nameOf(Path file) {
        return SourceModule.ROOT
                .relativize(file)
                .toString()
                .replace(file.getFileSystem().getSeparator(), "/");
    }

    /** What people read in a file: its text, and the words of its names. */
    static List<Prose> in(String name, String source) {
        List<Prose> prose = new ArrayList<>();
        if (hasText(name)) {
            prose.add(new Prose(textOf(name, source), 0, false));
        }
        if (hasNames(name)) {
            addNames(TYPE_NAME, source, prose);
            if (!name.contains("src/main/") || name.startsWith("testkit/")) {
                addNames(TEST_NAME, source, prose);
            }
        }
        return prose;
    }

    /** Where a match at this place of the text is in the file. */
    int placeOf(int match) {
        return isName ? start : start + match;
    }

    /** Documentation, POMs, main sources and their resources, tests that users read, scripts, and what is deployed. */
    private static boolean hasText(String name) {
        if (name.endsWith(".md") || name.endsWith("pom.xml")) {
            return true;
        }
        if (name.startsWith("packaging/") || name.startsWith(".github/")) {
            return !name.endsWith("-lock.json");
        }
        return name.equals("semel")
                || name.endsWith(".sh")
                || name.endsWith(".schema.json")
                || ((name.contains("src/main/") || isExample(name))
                        && name.matches(".*\\.(java|kt|sql|lua|js|html|ya?ml|json|txt|properties)"));
    }

    /** Tests that users copy from, or that show how the test kit is used. */
    private static boolean isExample(String name) {
        return name.startsWith("examples/") || name.startsWith("spring/recipes/") || name.startsWith("testkit/");
    }

    private static boolean hasNames(String name) {
        return name.endsWith(".java") || name.endsWith(".kt");
    }

    /** The text with everything else blanked out, so that places stay the same. */
    private static String textOf(String name, String source) {
        if (hasNames(name)) {
            return only(CODE_TEXT, source);
        }
        if (name.endsWith("pom.xml")) {
            return only(POM_TEXT, source);
        }
        if (name.endsWith(".md")) {
            return MARKDOWN_CODE.matcher(source).replaceAll(code -> blank(code.group()));
        }
        return source;
    }

    private static void addNames(Pattern declaration, String source, List<Prose> prose) {
        for (Matcher matcher = declaration.matcher(source); matcher.find(); ) {
            String words = NEXT_WORD.matcher(matcher.group(1)).replaceAll(" ");
            prose.add(new Prose(words, matcher.start(1), true));
        }
    }

    /** The source with everything blanked out that does not match. */
    private static String only(Pattern text, String source) {
        StringBuilder kept = new StringBuilder();
        int at = 0;
        for (Matcher matcher = text.matcher(source); matcher.find(); at = matcher.end()) {
            kept.append(blank(source.substring(at, matcher.start()))).append(matcher.group());
        }
        return kept.append(blank(source.substring(at))).toString();
    }

    private static String blank(String code) {
        return code.replaceAll("[^\n]", " ");
    }
}
