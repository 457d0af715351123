package dev.semel.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Keeps the schema that editors use in step with the settings; {@code -Dsemel.writeSchema=true} writes it anew, given to the JVM of the tests. */
class ConfigSchemaTest {

    private static final Path FILE = Path.of("..", "docs", "gateway.schema.json");

    @Test
    void describesEverySetting() throws IOException {
        String expected = schema().encodePrettily() + "\n";
        if (Boolean.getBoolean("semel.writeSchema")) {
            Files.writeString(FILE, expected);
        }
        assertThat(Files.readString(FILE)).isEqualTo(expected);
    }

    private static JsonObject schema() {
        JsonObject route = new JsonObject()
                .put("path", new JsonObject().put("type", "string").put("pattern", "^/"))
                .put("operation", new JsonObject().put("type", "string"));
        JsonObject top = new JsonObject();
        for (Setting setting : Setting.values()) {
            top.put(setting.key(), type(setting));
            if (setting.perRoute()) {
                route.put(setting.key(), type(setting));
            }
        }
        top.put(
                "routes",
                new JsonObject()
                        .put("type", "array")
                        .put("description", "Sections for some of the paths; the first whose path matches is used.")
                        .put("items", object(route).put("required", new JsonArray().add("path"))));
        return object(top)
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("title", "Configuration file of semel serve");
    }

    private static JsonObject object(JsonObject properties) {
        return new JsonObject()
                .put("type", "object")
                .put("properties", properties)
                .put("additionalProperties", false);
    }

    private static JsonObject type(Setting setting) {
        JsonObject type = new JsonObject().put("description", setting.help());
        if (setting.standard() != null) {
            type.put("description", setting.help() + " Default: " + setting.standard() + ".");
        }
        if (setting.isSwitch()) {
            return type.put("type", "boolean");
        }
        if (setting.isList()) {
            return type.put("type", new JsonArray().add("array").add("string"))
                    .put(
                            "items",
                            new JsonObject()
                                    .put("type", new JsonArray().add("string").add("integer")));
        }
        if (setting.label().equals("N")) {
            return type.put("type", "integer");
        }
        if (setting.label().contains("|")) {
            return type.put("enum", new JsonArray(Arrays.asList(setting.label().split("\\|"))));
        }
        return type.put("type", new JsonArray().add("string").add("integer"));
    }
}
