package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation can be built as a site, in which every link leads somewhere. */
class SiteTest {

    private static final Path GENERATOR = SourceModule.ROOT.resolve("packaging/site/node_modules/.bin/vitepress");

    @TempDir
    private Path directory;

    @Test
    void thePagesMakeASite() throws IOException, InterruptedException {
        assumeTrue(Files.exists(GENERATOR), "the generator of the site is not fetched; ./semel site does that");
        Path site = directory.resolve("site");
        Path log = directory.resolve("log");

        Process build = new ProcessBuilder("./semel", "site", "--no-javadoc", "--output", site.toString())
                .directory(SourceModule.ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(build.waitFor(5, TimeUnit.MINUTES)).as("ends in time").isTrue();

        assertThat(build.exitValue()).as(SourceModule.read(log)).isZero();
        assertThat(site.resolve("index.html")).exists();
        assertThat(site.resolve("docs/which-mode.html")).content().contains("RE_EXECUTE");
        assertThat(site.resolve("docs/recipes/index.html")).exists();
    }
}
