package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The public API is exactly what {@code config/api} lists, so it cannot change by accident. */
class ApiTest {

    private static final Path LISTINGS = SourceModule.ROOT.resolve("config/api");

    static List<SourceModule> published() {
        return SourceModule.published();
    }

    @ParameterizedTest
    @MethodSource("published")
    void theApiIsTheOneThatIsListed(SourceModule module) throws IOException {
        Path file = fileOf(module);
        List<String> api = ApiListing.of(module);
        if (ApiBaseline.isRenewing()) {
            Files.createDirectories(LISTINGS);
            Files.write(file, api);
        }

        assertThat(file).as("list the API with: " + ApiBaseline.RENEW).exists();
        assertThat(api)
                .as("the API of " + module + "; if the change is meant: " + ApiBaseline.RENEW)
                .isEqualTo(Files.readAllLines(file));
    }

    @Test
    void nothingIsListedThatIsNotPublished() throws IOException {
        List<Path> expected =
                SourceModule.published().stream().map(ApiTest::fileOf).toList();

        try (Stream<Path> files = Files.list(LISTINGS)) {
            assertThat(files)
                    .filteredOn(file -> file.toString().endsWith(".txt"))
                    .isSubsetOf(expected);
        }
    }

    private static Path fileOf(SourceModule module) {
        return LISTINGS.resolve(module.artifact() + ".txt");
    }
}
