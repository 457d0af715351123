package dev.semel.cli;

import dev.semel.gateway.Gateway;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.StoreUrls.OpenStore;
import dev.semel.gateway.config.ConfigText;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.GatewayConfig.RouteSection;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.gateway.config.YamlFile;
import dev.semel.gateway.log.LogEncoder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** {@code semel serve}: runs the gateway until it gets a stop signal. Its options are the {@link Setting}s. */
final class ServeCommand implements Callable<Integer> {

    private static final String CONFIG = "--config";
    private static final String CHECK = "--check";
    private static final String PRINT = "--print-config";

    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    private ServeCommand() {}

    static CommandLine commandLine() {
        ServeCommand command = new ServeCommand();
        command.spec
                .name("serve")
                .mixinStandardHelpOptions(true)
                .addOption(OptionSpec.builder(CONFIG)
                        .paramLabel("FILE")
                        .type(Path.class)
                        .description("A YAML file with these settings, without the dashes, and sections for routes."
                                + " The command line overrides the file.")
                        .build())
                .addOption(OptionSpec.builder(CHECK)
                        .type(boolean.class)
                        .description("Check the settings and the store, print all errors, and exit.")
                        .build())
                .addOption(OptionSpec.builder(PRINT)
                        .type(boolean.class)
                        .description("Print the effective settings and where each comes from, and exit.")
                        .build());
        for (Setting setting : Setting.values()) {
            command.spec.addOption(option(setting));
        }
        command.spec.usageMessage(usage());
        return new CommandLine(command.spec);
    }

    private static OptionSpec option(Setting setting) {
        OptionSpec.Builder option = OptionSpec.builder("--" + setting.key())
                .paramLabel(setting.label())
                .type(String.class)
                .description(description(setting));
        if (setting.isList()) {
            option.type(List.class).auxiliaryTypes(String.class);
        }
        if (setting.isSwitch()) {
            option.arity("0..1").fallbackValue("true");
        }
        return option.build();
    }

    private static String description(Setting setting) {
        String help = setting.help().replace("%", "%%");
        return setting.standard() == null ? help : help + " Default: " + setting.standard() + ".";
    }

    private static UsageMessageSpec usage() {
        return new UsageMessageSpec()
                .description("Runs the gateway: a reverse proxy that makes requests with a key safe to retry.")
                .sortOptions(false)
                .autoWidth(true)
                .headerHeading("%n")
                .descriptionHeading("%n")
                .optionListHeading("%nOptions:%n")
                .footerHeading("%nExamples:%n")
                .footer(
                        "  semel serve --upstream http://127.0.0.1:9000",
                        "  semel serve --upstream http://orders:9000 --listen 0.0.0.0:8080 --scope header:X-User"
                                + " --trusted-proxies 10.1.2.3");
    }

    @Override
    public Integer call() throws InterruptedException {
        long startedAt = System.nanoTime();
        if (Boolean.TRUE.equals(spec.findOption(PRINT).getValue())) {
            Settings settings = new Settings();
            List<String> errors = new ArrayList<>();
            List<RouteSection> sections = sections(settings, errors);
            if (errors.isEmpty()) {
                return end(ConfigText.of(settings, sections));
            }
        }
        ServedConfig served = ServedConfig.read(this::sections);
        GatewayConfig config = served.checked();
        LogEncoder.use(config.logs().format());
        if (Boolean.TRUE.equals(spec.findOption(CHECK).getValue())) {
            return check(config);
        }
        OpenStore store = StoreUrls.open(config.store(), config.sealing(), config.auditWindow());
        Gateway gateway = Gateway.start(Version.number(), config, store.keys());
        CountDownLatch stopped = new CountDownLatch(1);
        Shutdown.then(() -> {
            gateway.close();
            store.close();
            stopped.countDown();
        });
        AtomicReference<ServedConfig> holds = new AtomicReference<>(served);
        Signals.onHangUp(() -> holds.updateAndGet(now -> served.reload(now, this::sections, gateway)));
        announce(config, gateway, System.nanoTime() - startedAt);
        stopped.await();
        return 0;
    }

    private int end(String text) {
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return 0;
    }

    /** Looks at everything that a start needs, and makes nothing. */
    private int check(GatewayConfig config) {
        StringBuilder text = new StringBuilder();
        config.warnings()
                .forEach(warning -> text.append("warning: ").append(warning).append('\n'));
        text.append("settings: ok, ").append(config.routes().size()).append(" routes\n");
        if (StoreUrls.isMissingFile(config.store())) {
            text.append("store: ")
                    .append(StoreUrls.redacted(config.store()))
                    .append(" is created at the first start\n");
        } else if (!config.store().equals("memory:")) {
            try (OpenStore store = StoreUrls.openExisting(config.store(), config.sealing())) {
                text.append("store: ok, ")
                        .append(StoreUrls.redacted(config.store()))
                        .append('\n');
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("the store could not be closed", e);
            }
        }
        return end(text.toString());
    }

    /** Fills the settings, and returns the routes of the file. */
    private List<RouteSection> sections(Settings settings, List<String> errors) {
        for (Setting setting : Setting.values()) {
            Object value = spec.findOption("--" + setting.key()).getValue();
            if (value instanceof List<?> values) {
                settings.putOption(setting, values.stream().map(String::valueOf).collect(Collectors.joining(",")));
            } else if (value != null) {
                settings.putOption(setting, value.toString());
            }
        }
        Path file = spec.findOption(CONFIG).getValue();
        return file == null ? List.of() : YamlFile.read(file, settings, errors);
    }

    private void announce(GatewayConfig config, Gateway gateway, long tookNanos) {
        PrintWriter out = spec.commandLine().getOut();
        String scheme = config.tls() == null ? "http" : "https";
        out.printf(
                "semel %s: %s://%s -> %s, keys in %s%n",
                Version.number(),
                scheme,
                withPort(config.listen().toString(), gateway.port()),
                config.upstream().url(),
                StoreUrls.redacted(config.store()));
        if (config.admin() != null) {
            out.printf("console: %s%n", config.admin().link(gateway.adminPort()));
            if (config.admin().generated()) {
                out.println("  its token is new at every start; for one of your own, set SEMEL_ADMIN_TOKEN");
            }
        }
        config.warnings().forEach(warning -> out.println("warning: " + warning));
        out.printf(Locale.ROOT, "ready after %d ms%n", tookNanos / 1_000_000);
        out.flush();
    }

    private static String withPort(String address, int port) {
        return address.substring(0, address.lastIndexOf(':') + 1) + port;
    }
}
