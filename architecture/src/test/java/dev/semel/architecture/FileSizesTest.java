package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A file does one thing: none of the main code is longer than 500 lines, and a few that have been cut stay shorter. */
class FileSizesTest {

    private static final int MOST_LINES = 500;

    private static final Map<String, Integer> SHORTER = Map.of("ServletExchange.java", 220);

    static List<SourceModule> modules() {
        return SourceModule.all();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void noFileIsTooLong(SourceModule module) {
        Map<String, Long> tooLong = new TreeMap<>();
        for (Path file : files(module)) {
            long lines = SourceModule.read(file).lines().count();
            if (lines > SHORTER.getOrDefault(name(file), MOST_LINES)) {
                tooLong.put(name(file), lines);
            }
        }

        assertThat(tooLong).as("lines of files").isEmpty();
    }

    @Test
    void theFilesThatStayShorterExist() {
        Set<String> names = new HashSet<>();
        modules().forEach(module -> files(module).forEach(file -> names.add(name(file))));

        assertThat(names).containsAll(SHORTER.keySet());
    }

    private static List<Path> files(SourceModule module) {
        return module.packages().values().stream().flatMap(List::stream).toList();
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }
}
