package dev.semel.gateway.stats;

import dev.semel.gateway.NpmPackages;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The dashboard is one by the types that Grafana publishes, with its options and its fields: TypeScript says so, which
 * refuses names and values that there are not. Skipped where these types cannot be had.
 */
class DashboardSchemaTest {

    private static final String HEAD = """
            import type { AnnotationQuery, Dashboard } from './node_modules/@grafana/schema/dist/types/raw/dashboard/x/types.gen';
            import type * as stat from './node_modules/@grafana/schema/dist/types/raw/composable/stat/panelcfg/x/types.gen';
            import type * as timeseries from './node_modules/@grafana/schema/dist/types/raw/composable/timeseries/panelcfg/x/types.gen';

            // In JSON, a constant of an enum is its text.
            type Json<T> = T extends string ? `${T}`
              : T extends (infer E)[] ? Json<E>[]
              : T extends object ? { [K in keyof T]: Json<T[K]> }
              : T;

            // What the source of the data reads, which the schema leaves to it.
            type OfPrometheus = AnnotationQuery & { expr: string; titleFormat: string; step: string };
            """;

    @Test
    void isOneThatGrafanaKnows() throws Exception {
        NpmPackages grafana = NpmPackages.in("grafana-schema", "@grafana/schema@13.2.3", "typescript@7.0.2");
        JsonObject dashboard =
                new JsonObject(Files.readString(Path.of("..", "packaging", "observability", "semel-dashboard.json")));
        StringBuilder check = new StringBuilder(HEAD);
        JsonArray panels = dashboard.getJsonArray("panels");
        for (int i = 0; i < panels.size(); i++) {
            JsonObject panel = panels.getJsonObject(i);
            String type = panel.getString("type");
            if (type.equals("row")) {
                continue;
            }
            constant(check, "options" + i, "Json<Partial<" + type + ".Options>>", panel.getJsonObject("options"));
            JsonObject custom =
                    panel.getJsonObject("fieldConfig").getJsonObject("defaults").getJsonObject("custom");
            if (custom != null) {
                constant(check, "custom" + i, "Json<" + type + ".FieldConfig>", custom);
            }
        }
        constant(
                check,
                "annotations",
                "Json<OfPrometheus>[]",
                dashboard.getJsonObject("annotations").remove("list"));
        constant(check, "dashboard", "Json<Dashboard>", dashboard);
        Files.writeString(grafana.directory().resolve("check.ts"), check);

        grafana.run(
                60,
                "node_modules/.bin/tsc",
                "--noEmit",
                "--strict",
                "--skipLibCheck",
                "--module",
                "esnext",
                "--moduleResolution",
                "bundler",
                "check.ts");
    }

    private static void constant(StringBuilder check, String name, String type, Object value) {
        check.append("export const ")
                .append(name)
                .append(": ")
                .append(type)
                .append(" = ")
                .append(
                        value instanceof JsonArray array
                                ? array.encodePrettily()
                                : ((JsonObject) value).encodePrettily())
                .append(";\n");
    }
}
