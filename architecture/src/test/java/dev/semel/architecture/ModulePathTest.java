package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that is a module itself, on the module path, with keys in SQLite. */
class ModulePathTest {

    private static final String MODULE = """
            module app {
                requires dev.semel.jdbc;
                requires org.xerial.sqlitejdbc;
            }
            """;

    private static final String APPLICATION = """
            package app;

            import dev.semel.*;
            import dev.semel.jdbc.JdbcKeyStore;
            import dev.semel.policy.Policy;

            public class Main {
                public static void main(String[] args) {
                    var database = new org.sqlite.SQLiteDataSource();
                    database.setUrl("jdbc:sqlite:" + args[0]);
                    try (var store = JdbcKeyStore.builder(database).createIfMissing().build();
                            var semel = Semel.builder(store).build()) {
                        var charge = semel.operation(Policy.external("charge").build(), OutcomeCodec.text());
                        for (int i = 1; i <= 2; i++) {
                            String run = "run " + i;
                            System.out.println(charge.run(Key.of("me", "1"), Fingerprint.of("x"), attempt -> run).get());
                        }
                    }
                }
            }
            """;

    private static final String INTRUDER = """
            package app;

            public class Main {
                dev.semel.engine.Engine engine;
            }
            """;

    @TempDir
    Path directory;

    @Test
    void anApplicationRunsOnTheModulePath() throws Exception {
        assertThat(compilerMessages(APPLICATION)).isEmpty();

        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        modulePath() + File.pathSeparator + directory.resolve("classes"),
                        "--module",
                        "app/app.Main",
                        directory.resolve("keys.db").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();

        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        assertThat(Files.readAllLines(log))
                .filteredOn(line -> line.startsWith("run"))
                .containsExactly("run 1", "run 1");
    }

    @Test
    void theEngineIsOutOfReach() throws Exception {
        assertThat(compilerMessages(INTRUDER))
                .contains("package dev.semel.engine is declared in module dev.semel.core, which does not export it");
    }

    /** Compiles the application, and answers what the compiler has to say. */
    private String compilerMessages(String application) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("sources/app"));
        Path module = Files.writeString(sources.resolveSibling("module-info.java"), MODULE);
        Path main = Files.writeString(sources.resolve("Main.java"), application);
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none",
                    "--class-path", // Not that of this test, on which the engine is visible.
                    directory.resolve("nothing").toString(),
                    "--module-path",
                    modulePath(),
                    "-d",
                    directory.resolve("classes").toString());
            compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(module, main))
                    .call();
        }
        return messages.toString();
    }

    private static String modulePath() {
        Stream<Path> own = SourceModule.published().stream()
                .filter(module -> List.of("semel-core", "semel-jdbc").contains(module.artifact()))
                .map(module -> module.directory().resolve("target/classes"));
        Stream<Path> libraries =
                Stream.of("org.slf4j.Logger", "org.sqlite.SQLiteDataSource").map(ModulePathTest::jarOf);
        return Stream.concat(own, libraries).map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static Path jarOf(String type) {
        try {
            return Path.of(Class.forName(type)
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (ReflectiveOperationException | java.net.URISyntaxException e) {
            throw new IllegalStateException(type + " is in no jar", e);
        }
    }
}
