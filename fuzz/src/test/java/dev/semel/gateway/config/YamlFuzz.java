package dev.semel.gateway.config;

import static dev.semel.fuzz.Fuzz.require;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A configuration file: accepted and usable, or refused with one complaint. */
public final class YamlFuzz {

    private static final int MAX_COMPLAINT = 16 << 10;

    private YamlFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        // Addresses are resolved: given here, those of the file are not asked for on the network.
        Settings settings = new Settings()
                .putOption(Setting.LISTEN, "127.0.0.1:0")
                .putOption(Setting.ADMIN, "127.0.0.1:0")
                .putOption(Setting.UPSTREAM, "http://127.0.0.1:9");
        try {
            List<GatewayConfig.RouteSection> sections = YamlFile.read(
                    "fuzz.yaml", new StringReader(text), name -> name.equals("SET") ? "$0" : null, settings);
            // This one names a file, which is read at once.
            if (!settings.isGiven(Setting.SEAL_KEYS)) {
                check(GatewayConfig.of(settings, sections));
            }
        } catch (ConfigException e) {
            String complaint = String.valueOf(e.getMessage());
            require(!complaint.isBlank() && complaint.length() <= MAX_COMPLAINT, "one readable complaint", complaint);
        }
    }

    private static void check(GatewayConfig config) {
        require(config.listen().port() == 0, "what the command line says counts", config.listen());
        require(config.maxHeader() >= 1024 && config.maxBuffered() >= 0, "sizes are sizes", config.maxHeader());
        require(!config.routes().isEmpty(), "a last route takes everything", config.routes());
        for (Route route : config.routes()) {
            require(!route.timeout().isNegative() && !route.timeout().isZero(), "a timeout is positive", route);
            String path = route.path().toString();
            require(PathPattern.parse(path).covers(route.path()), "a path reads as it is written", path);
        }
        Route last = config.routes().get(config.routes().size() - 1);
        require(last.path().matches(List.of("any", "path")), "the last route takes everything", last.path());
    }
}
