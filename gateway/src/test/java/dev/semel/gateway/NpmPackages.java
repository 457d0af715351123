package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Packages of npm in a directory of their own. A test is skipped where there is no Node, or no registry to fetch them from. */
public final class NpmPackages {

    private final Path directory;

    private NpmPackages(Path directory) {
        this.directory = directory;
    }

    /** The packages, fetched once per checkout. */
    public static NpmPackages in(String name, String... packages) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(Path.of("target", name).toAbsolutePath());
        NpmPackages found = new NpmPackages(directory);
        found.run(10, "node", "--version");
        if (!Files.exists(directory.resolve("installed"))) {
            List<String> install = new ArrayList<>(
                    List.of("npm", "install", "--prefix", ".", "--no-audit", "--no-fund", "--ignore-scripts"));
            install.addAll(List.of(packages));
            found.run(60, install.toArray(String[]::new));
            Files.createFile(directory.resolve("installed"));
        }
        return found;
    }

    public Path directory() {
        return directory;
    }

    /** Runs a command there, and returns what it prints; if it fails, so does the test, but for npm itself. */
    public String run(long seconds, String... command) throws IOException, InterruptedException {
        Path errors = directory.resolve("errors.txt");
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectError(errors.toFile())
                    .start();
        } catch (IOException e) {
            Assumptions.abort("there is no " + command[0] + " on the PATH");
            throw e;
        }
        try {
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Assumptions.assumeTrue(process.waitFor(seconds, TimeUnit.SECONDS), command[0] + " did not end");
            Assumptions.assumeTrue(
                    process.exitValue() == 0 || !command[0].equals("npm"),
                    "the registry has no such packages for us: " + String.join(" ", command));
            assertThat(process.exitValue()).as(out + Files.readString(errors)).isZero();
            return out;
        } finally {
            process.destroyForcibly();
        }
    }
}
