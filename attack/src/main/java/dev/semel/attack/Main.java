package dev.semel.attack;

import dev.semel.attack.lab.Lab;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the attacks. */
@Command(
        name = "semel attack",
        description = {
            "Attacks a gateway on this machine with exact bytes, and judges by what reached the service behind it.",
            "Without --url it starts gateways of its own."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:every attack was withstood", "1:one succeeded", "2:wrong arguments, or nothing to attack"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  ./semel attack",
            "  ./semel attack --quick --group framing,spelling",
            "  ./semel attack --only h2-rapid-reset --json attack.json",
            "  ./semel serve --upstream http://127.0.0.1:9000 --scope credential &",
            "  ./semel attack --url http://127.0.0.1:8080 --upstream-port 9000"
        })
public final class Main implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            split = ",",
            description = "Only these groups: framing, identity, spelling, exhaustion, admin.")
    private List<Group> groups = List.of();

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "Only these attacks.")
    private List<String> only = List.of();

    @Option(names = "--list", description = "List the attacks, and attack nothing.")
    private boolean list;

    @Option(names = "--quick", description = "Watch floods for a shorter time.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Where to write the numbers.")
    private @Nullable Path json;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "Attack the gateway at this address of the loopback instead, which runs with --scope credential"
                            + " in front of --upstream-port. Asks first.")
    private @Nullable URI url;

    @Option(
            names = "--upstream-port",
            paramLabel = "PORT",
            description =
                    "With --url: the port of the loopback that the gateway forwards to. The attack listens there.")
    private int upstreamPort;

    @Option(names = "--admin-url", paramLabel = "URL", description = "With --url: the admin address of the gateway.")
    private @Nullable URI adminUrl;

    @Option(names = "--admin-token", paramLabel = "TOKEN", description = "With --url: the admin token of the gateway.")
    private String adminToken = "";

    @Option(names = "--yes", description = "Do not ask before a gateway of yours is attacked.")
    private boolean yes;

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(Main::explain);
    }

    private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        command.getErr().println("semel attack: " + (failure.getMessage() == null ? failure : failure.getMessage()));
        return 2;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Attack> chosen = chosen();
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            chosen.forEach(attack -> out.println(Report.listed(attack)));
            out.flush();
            return 0;
        }
        if (!mayAttack(out)) {
            return 2;
        }
        Report report = new Report(out, chosen.size(), System.console() != null);
        try (Lab lab = lab()) {
            new AttackRun(lab, quick ? Effort.QUICK : Effort.FULL).run(chosen, report);
        }
        report.summarize();
        if (json != null) {
            Files.writeString(json, report.json());
        }
        return report.succeeded() == 0 ? 0 : 1;
    }

    private List<Attack> chosen() {
        List<Attack> all = Attack.all();
        for (String name : only) {
            if (all.stream().noneMatch(attack -> attack.name().equals(name))) {
                throw wrong("there is no attack " + name + "; --list shows them all");
            }
        }
        List<Attack> chosen = all.stream()
                .filter(attack -> groups.isEmpty() || groups.contains(attack.group()))
                .filter(attack -> only.isEmpty() || only.contains(attack.name()))
                .toList();
        if (chosen.isEmpty()) {
            throw wrong("none of the attacks of --only is in the groups of --group");
        }
        return chosen;
    }

    private boolean mayAttack(PrintWriter out) throws IOException {
        if (url == null) {
            if (upstreamPort != 0 || adminUrl != null || !adminToken.isEmpty()) {
                throw wrong("--upstream-port, --admin-url and --admin-token belong to --url");
            }
            return true;
        }
        if (upstreamPort == 0) {
            throw wrong("--url needs --upstream-port: the effects of an attack are counted behind the gateway, so start"
                    + " that with --upstream http://127.0.0.1:PORT and say the same PORT here");
        }
        if (yes || NamedGateway.confirmed(out, url)) {
            return true;
        }
        spec.commandLine().getErr().println("semel attack: nothing was sent");
        return false;
    }

    private Lab lab() throws IOException {
        if (url == null) {
            return Lab.own();
        }
        try {
            return NamedGateway.lab(url, upstreamPort, adminUrl, adminToken);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
