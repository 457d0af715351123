package dev.semel.spring.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Keeps the page about the properties in step with the metadata that IDEs get; {@code -Dpages.renew} writes it again. */
class ConfigurationPageTest {

    private static final Path METADATA = Path.of("target/classes/META-INF/spring-configuration-metadata.json");
    private static final Path PAGE = Path.of("..", "..", "docs", "configuration.md");
    private static final String START = "<!-- table -->\n";
    private static final String END = "<!-- end -->\n";
    private static final String RENEW =
            "./mvnw test -pl spring/boot-starter -am -Dtest=ConfigurationPageTest -Dpages.renew -Dsurefire.failIfNoSpecifiedTests=false";

    private final List<JsonNode> properties = readProperties();

    @Test
    void everyPropertyHasADescription() {
        assertThat(properties)
                .hasSizeGreaterThan(30)
                .allSatisfy(property -> assertThat(property.path("description").asString(""))
                        .as(property.path("name").asString())
                        .isNotBlank());
    }

    @Test
    void thePageHasEveryProperty() throws IOException {
        String page = Files.readString(PAGE);
        String before = page.substring(0, page.indexOf(START) + START.length());
        String after = page.substring(page.indexOf(END));
        String expected = before + tables() + after;
        if (System.getProperty("pages.renew") != null) {
            Files.writeString(PAGE, expected);
        }

        assertThat(Files.readString(PAGE)).as("renew the page with: " + RENEW).isEqualTo(expected);
    }

    private String tables() {
        Map<String, List<JsonNode>> groups = new LinkedHashMap<>();
        for (JsonNode property : properties) {
            groups.computeIfAbsent(heading(property.path("name").asString()), heading -> new ArrayList<>())
                    .add(property);
        }
        StringBuilder tables = new StringBuilder();
        groups.forEach((heading, members) -> {
            tables.append("\n## ").append(heading).append("\n\n");
            tables.append("| property | type | default | |\n|---|---|---|---|\n");
            members.forEach(property -> tables.append(row(property)));
        });
        return tables.append("\n").toString();
    }

    private static String heading(String name) {
        return isOfTheActuator(name)
                ? "Endpoints of the actuator"
                : "`" + name.substring(0, name.lastIndexOf('.')) + "`";
    }

    private static boolean isOfTheActuator(String name) {
        return name.startsWith("management.");
    }

    private static String row(JsonNode property) {
        JsonNode standard = property.path("defaultValue");
        return "| `%s` | %s | %s | %s |\n"
                .formatted(
                        property.path("name").asString(),
                        type(property.path("type").asString()),
                        standard.isMissingNode() ? "–" : "`" + standard.asString() + "`",
                        sentence(property.path("description").asString()));
    }

    private static String type(String name) {
        if (name.startsWith("java.util.List<")) {
            return "list of " + type(name.substring("java.util.List<".length(), name.length() - 1)) + "s";
        }
        return switch (name) {
            case "java.lang.String" -> "text";
            case "java.lang.Integer" -> "number";
            case "java.lang.Boolean" -> "`true` or `false`";
            case "java.time.Duration" -> "duration";
            case "java.net.URI" -> "URL";
            case "org.springframework.util.unit.DataSize" -> "size";
            default -> constants(name);
        };
    }

    private static String constants(String name) {
        try {
            return Arrays.stream(Class.forName(name).getEnumConstants())
                    .map(constant ->
                            "`" + constant.toString().toLowerCase(Locale.ROOT).replace('_', '-') + "`")
                    .collect(Collectors.joining(", "));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("what are the values of " + name + "?", e);
        }
    }

    private static String sentence(String description) {
        String text = description.replace("|", "\\|").strip();
        text = text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
        return text.endsWith(".") ? text : text + ".";
    }

    private static List<JsonNode> readProperties() {
        List<JsonNode> properties = new ArrayList<>();
        JsonMapper.shared()
                .readTree(METADATA.toFile())
                .path("properties")
                .forEach(property -> properties.add(property));
        properties.sort(Comparator.comparing(
                property -> isOfTheActuator(property.path("name").asString())));
        return properties;
    }
}
