package dev.semel.gateway.config;

import dev.semel.gateway.config.GatewayConfig.RouteSection;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads a configuration file. Every error message names the file, the line and a correct value. */
public final class YamlFile {

    private static final String ROUTES = "routes";
    private static final String PATH = "path";
    private static final String OPERATION = "operation";
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    private final String name;
    private final Function<String, @Nullable String> environment;
    private final Settings settings;
    private final List<RouteSection> sections = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();

    private YamlFile(String name, Function<String, @Nullable String> environment, Settings settings) {
        this.name = name;
        this.environment = environment;
        this.settings = settings;
    }

    /**
     * Reads the file into the settings and returns its routes; settings from the command line take precedence.
     *
     * @param errors collects the errors of the file
     */
    public static List<RouteSection> read(Path file, Settings settings, List<String> errors) {
        try (Reader reader = Files.newBufferedReader(file)) {
            return read(file.getFileName().toString(), reader, System::getenv, settings, errors);
        } catch (IOException e) {
            throw new ConfigException("cannot read the configuration file " + file + ": " + e.getMessage(), e);
        }
    }

    /** Like the other method, but throws on the first error. */
    public static List<RouteSection> read(Path file, Settings settings) {
        List<String> errors = new ArrayList<>();
        return withoutErrors(read(file, settings, errors), errors);
    }

    static List<RouteSection> read(
            String name, Reader reader, Function<String, @Nullable String> environment, Settings settings) {
        List<String> errors = new ArrayList<>();
        return withoutErrors(read(name, reader, environment, settings, errors), errors);
    }

    private static List<RouteSection> withoutErrors(List<RouteSection> sections, List<String> errors) {
        if (!errors.isEmpty()) {
            throw new ConfigException(String.join("\n", errors));
        }
        return sections;
    }

    static List<RouteSection> read(
            String name,
            Reader reader,
            Function<String, @Nullable String> environment,
            Settings settings,
            List<String> errors) {
        YamlFile file = new YamlFile(name, environment, settings);
        composed(name, reader).ifPresent(top -> file.noting(() -> file.top(top)));
        errors.addAll(file.errors);
        return List.copyOf(file.sections);
    }

    /** Continues after an error, so that all errors are reported together. */
    private void noting(Runnable part) {
        try {
            part.run();
        } catch (ConfigException e) {
            errors.add(String.valueOf(e.getMessage()));
        }
    }

    /** The parser has exceptions of its own, and for some tags those of Java. */
    private static Optional<Node> composed(String name, Reader reader) {
        try {
            return new Compose(LoadSettings.builder().setLabel(name).build()).composeReader(reader);
        } catch (YamlEngineException | IllegalArgumentException e) {
            throw new ConfigException(name + ": this is not YAML: " + e.getMessage(), e);
        }
    }

    private void top(Node node) {
        List<String> known = new ArrayList<>(Setting.keys(false));
        known.add(ROUTES);
        @Nullable Node routes = null;
        for (NodeTuple tuple : entries(node, known)) {
            String key = text(tuple.getKeyNode());
            if (key.equals(ROUTES)) {
                routes = tuple.getValueNode();
            } else {
                noting(() -> put(settings, Setting.find(key).orElseThrow(), tuple.getValueNode(), false));
            }
        }
        if (routes != null) {
            for (Node route : sequence(routes)) {
                noting(() -> route(route));
            }
        }
    }

    private void route(Node node) {
        List<String> known = new ArrayList<>(List.of(PATH, OPERATION));
        known.addAll(Setting.keys(true));
        Settings own = settings.section();
        @Nullable PathPattern path = null;
        @Nullable String operation = null;
        for (NodeTuple tuple : entries(node, known)) {
            String key = text(tuple.getKeyNode());
            if (key.equals(PATH)) {
                path = pattern(tuple.getValueNode());
            } else if (key.equals(OPERATION)) {
                operation = scalar(tuple.getValueNode());
            } else {
                noting(() -> put(own, Setting.find(key).orElseThrow(), tuple.getValueNode(), true));
            }
        }
        if (path == null) {
            throw complaint(node, "a route needs a path, for example \"path: /payments/**\"");
        }
        sections.add(new RouteSection(path, operation == null ? path.toString() : operation, own));
    }

    private PathPattern pattern(Node node) {
        try {
            return PathPattern.parse(scalar(node));
        } catch (IllegalArgumentException e) {
            throw complaint(node, e.getMessage());
        }
    }

    /** The entries of a mapping, all of which have known names that stand there once. */
    private List<NodeTuple> entries(Node node, List<String> known) {
        if (!(node instanceof MappingNode mapping)) {
            throw complaint(node, "expected settings of the form \"name: value\"");
        }
        Set<String> seen = new HashSet<>();
        List<NodeTuple> entries = new ArrayList<>();
        for (NodeTuple tuple : mapping.getValue()) {
            noting(() -> {
                String key = text(tuple.getKeyNode());
                if (!known.contains(key)) {
                    throw complaint(
                            tuple.getKeyNode(),
                            "there is no setting \"" + key + "\" here; did you mean \"" + Spelling.nearest(key, known)
                                    + "\"?");
                }
                if (!seen.add(key)) {
                    throw complaint(tuple.getKeyNode(), "\"" + key + "\" is set twice");
                }
                entries.add(tuple);
            });
        }
        return entries;
    }

    private void put(Settings target, Setting setting, Node node, boolean ofRoute) {
        if (!ofRoute && target.isGiven(setting)) {
            return;
        }
        List<String> values = setting.isList() && node instanceof SequenceNode
                ? sequence(node).stream().map(this::scalar).toList()
                : setting.split(scalar(node));
        target.put(setting, values, place(node));
    }

    private List<Node> sequence(Node node) {
        if (!(node instanceof SequenceNode sequence)) {
            throw complaint(node, "expected a list");
        }
        return sequence.getValue();
    }

    private String text(Node node) {
        if (!(node instanceof ScalarNode scalar)) {
            throw complaint(node, "expected a single value");
        }
        return scalar.getValue();
    }

    /** A value, with variables of the environment filled in, so that secrets need not stand in the file. */
    private String scalar(Node node) {
        return VARIABLE.matcher(text(node)).replaceAll(found -> {
            String value = environment.apply(found.group(1));
            if (value == null) {
                throw complaint(node, "the environment variable " + found.group(1) + " is not set");
            }
            return Matcher.quoteReplacement(value);
        });
    }

    private ConfigException complaint(Node node, @Nullable String detail) {
        return new ConfigException(place(node) + ": " + detail);
    }

    private String place(Node node) {
        return node.getStartMark()
                .map(mark -> name + ", line " + (mark.getLine() + 1))
                .orElse(name);
    }
}
