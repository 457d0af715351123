package dev.semel.cli;

import dev.semel.gateway.Gateway;
import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.GatewayConfig.RouteSection;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command line and the file of a gateway, read and checked.
 *
 * @param settings the settings as they were given
 * @param sections the routes of the file
 */
record ServedConfig(Settings settings, List<RouteSection> sections, GatewayConfig checked) {

    private static final Logger LOG = LoggerFactory.getLogger(ServedConfig.class);

    /** Reads the command line and the file. */
    @FunctionalInterface
    interface Source {

        /** Fills the settings, and returns the routes of the file; what is wrong is added to the errors. */
        List<RouteSection> read(Settings settings, List<String> errors);
    }

    /** @throws ConfigException with a line for each thing that is wrong */
    static ServedConfig read(Source source) {
        Settings settings = new Settings();
        List<String> errors = new ArrayList<>();
        List<RouteSection> sections = source.read(settings, errors);
        return new ServedConfig(settings, sections, GatewayConfig.checked(settings, sections, errors));
    }

    /**
     * Reads the configuration again, lets the gateway apply what it can, and logs what it has applied and what needs a
     * restart. An error is logged in one line, and changes nothing.
     *
     * @param now the configuration of the start, or of the last reload
     * @return the configuration from now on
     */
    ServedConfig reload(ServedConfig now, Source source, Gateway gateway) {
        ServedConfig next;
        Set<Setting> taken;
        try {
            next = read(source);
            taken = gateway.reload(next.checked);
        } catch (RuntimeException e) {
            LOG.error(
                    "event=reload_failed meaning=\"the old configuration stays\" cause=\"{}\"",
                    String.valueOf(e.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; "));
            return now;
        }
        List<String> changed = new ArrayList<>();
        List<String> later = new ArrayList<>();
        now.settings.differences(next.settings).stream()
                .filter(taken::contains)
                .forEach(setting -> changed.add(setting.key()));
        settings.differences(next.settings).stream()
                .filter(setting -> !taken.contains(setting))
                .forEach(setting -> later.add(setting.key()));
        if (!GatewayConfig.sameRoutes(sections, next.sections)) {
            later.add("routes");
        }
        LOG.info("event=reloaded read_again=tokens,keys,certificates changed={}", words(changed));
        if (!later.isEmpty()) {
            LOG.warn("event=restart_needed settings={} meaning=\"these take effect at the next start\"", words(later));
        }
        return next;
    }

    private static String words(List<String> names) {
        return names.isEmpty() ? "none" : String.join(",", names);
    }
}
