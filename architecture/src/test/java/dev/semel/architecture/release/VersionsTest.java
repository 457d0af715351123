package dev.semel.architecture.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation names the newest release, and {@code packaging/release/set-version} keeps it so. */
class VersionsTest {

    private static final Path ROOT = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .normalize()
            .getParent();
    private static final Pattern OF_SEMEL =
            Pattern.compile("<artifactId>semel-[a-z-]+</artifactId>\\s*<version>([^<]*)</version>"
                    + "|dev\\.semel:semel-[a-z-]+:([^\")]+)");

    @TempDir
    private Path directory;

    @Test
    void pagesNameOneVersionThatIsARelease() throws IOException {
        assertThat(documented(ROOT)).isNotEmpty().allMatch(version -> version.matches("\\d+\\.\\d+\\.\\d+"));
        assertThat(documented(ROOT).stream().distinct()).hasSize(1);
    }

    @Test
    void aReleaseIsNamedEverywhereAndASnapshotOnlyInThePoms() throws IOException, InterruptedException {
        copyOfTheCheckout();

        setVersion("7.8.9");
        assertThat(documented(directory)).isNotEmpty().containsOnly("7.8.9");
        assertThat(directory.resolve("core/pom.xml")).content().contains("<version>7.8.9</version>");

        setVersion("8.0.0-SNAPSHOT");
        assertThat(documented(directory)).containsOnly("7.8.9");
        assertThat(directory.resolve("core/pom.xml")).content().contains("<version>8.0.0-SNAPSHOT</version>");

        setVersion("8.0.0");
        assertThat(documented(directory)).containsOnly("8.0.0");
        assertThat(directory.resolve("core/pom.xml")).content().contains("<version>8.0.0</version>");
    }

    private void copyOfTheCheckout() throws IOException, InterruptedException {
        String files = run(
                ROOT, "git", "ls-files", "*pom.xml", "*.md", "packaging/kubernetes", "packaging/release/set-version");
        for (String file : files.lines().toList()) {
            Files.createDirectories(directory.resolve(file).getParent());
            Files.copy(ROOT.resolve(file), directory.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        run(directory, "git", "init", "-q");
        run(directory, "git", "add", ".");
        run(directory, "git", "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-q", "-m", "A copy");
    }

    private void setVersion(String version) throws IOException, InterruptedException {
        run(directory, "packaging/release/set-version", version);
    }

    private static String run(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), UTF_8);
            assertThat(process.waitFor()).as(text).isZero();
            return text;
        }
    }

    private static List<String> documented(Path root) throws IOException {
        try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(root.resolve("README.md")),
                            docs.filter(page -> page.toString().endsWith(".md")))
                    .flatMap(page -> OF_SEMEL.matcher(read(page)).results())
                    .map(VersionsTest::version)
                    .toList();
        }
    }

    private static String version(MatchResult found) {
        return found.group(1) != null ? found.group(1) : found.group(2);
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
