package dev.semel.cli;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.PathPattern;
import dev.semel.gateway.config.Route;
import dev.semel.gateway.config.Settings;
import dev.semel.gateway.config.YamlFile;
import dev.semel.http.HttpRules;
import dev.semel.http.openapi.OpenApiDocument;
import dev.semel.http.openapi.RulesDescription;
import dev.semel.http.problem.ProblemType;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code semel openapi}: prints the parameters, headers and responses that a gateway adds to the API behind it, as
 * OpenAPI.
 */
@Command(
        name = "openapi",
        description = "Prints an OpenAPI 3.1 document with the gateway's additions to your operations: the key, the"
                + " replay header, and its own error responses. Merge it into the description of your API.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = "  semel openapi --config gateway.yaml > semel-openapi.json")
final class OpenApiCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "the YAML file that the gateway is started with")
    private Path config;

    @Override
    public void run() {
        Settings settings = new Settings();
        print(GatewayConfig.of(settings, YamlFile.read(config, settings)));
    }

    private void print(GatewayConfig gateway) {
        OpenApiDocument document =
                new OpenApiDocument("What semel adds to " + gateway.upstream().url(), Version.number());
        String[] markers = gateway.replayMarkers().toArray(String[]::new);
        for (Route route : gateway.routes()) {
            HttpRules rules = route.rules();
            if (rules != null) {
                RulesDescription description = rules.describe(markers)
                        .and(
                                ProblemType.CALLER_OVER_LIMIT,
                                ProblemType.REQUEST_TIMED_OUT,
                                ProblemType.UPSTREAM_UNREACHABLE,
                                ProblemType.UPSTREAM_INTERRUPTED,
                                ProblemType.UPSTREAM_TIMED_OUT);
                for (String method : new TreeSet<>(rules.methods())) {
                    document.add(
                            template(route.path()),
                            method,
                            method.toLowerCase(Locale.ROOT) + " " + route.operation(),
                            description);
                }
            }
        }
        spec.commandLine().getOut().print(document.json());
        spec.commandLine().getOut().flush();
    }

    /** The path of a route with a variable for what it leaves open. */
    private static String template(PathPattern pattern) {
        StringBuilder path = new StringBuilder();
        int open = 0;
        for (String segment : pattern.segments()) {
            path.append('/').append(segment.equals("*") ? "{segment" + ++open + "}" : segment);
        }
        return pattern.open() || path.isEmpty() ? path + "/{path}" : path.toString();
    }
}
