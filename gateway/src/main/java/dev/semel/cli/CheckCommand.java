package dev.semel.cli;

import dev.semel.check.ApiCheck;
import dev.semel.check.CannotRunException;
import dev.semel.check.CheckReport;
import dev.semel.check.CheckTarget;
import dev.semel.check.report.HtmlReport;
import dev.semel.check.report.JUnitReport;
import dev.semel.check.report.JsonReport;
import dev.semel.check.report.TextReport;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code semel check}: tries any API as its clients would, and reports what is not safe to retry. */
@Command(
        name = "check",
        description = {
            "Calls any HTTP API as its clients would, and reports what is not safe to retry.",
            "It calls one operation repeatedly with its own keys: use a test account."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeOnExecutionException = 2,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:no finding", "1:findings", "2:the check could not run"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  semel check http://127.0.0.1:8080/charges --body '{\"amount\": 100, \"currency\": \"EUR\"}'",
            "  semel check https://test.example/payments --body order.json --yes --html report.html \\",
            "      --caller-a 'Authorization: Bearer a' --caller-b 'Authorization: Bearer b' \\",
            "      --effects-url 'https://test.example/payments?key={key}' --slow-header 'X-Delay: 2'"
        })
final class CheckCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "URL", description = "The operation to check.")
    private String url;

    @Option(
            names = "--method",
            paramLabel = "METHOD",
            defaultValue = "POST",
            description = "Default: ${DEFAULT-VALUE}.")
    private String method;

    @Option(names = "--header", paramLabel = "LINE", description = "A header for every request: \"Name: value\".")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--body", paramLabel = "FILE|TEXT", description = "The body of a request that succeeds.")
    private @Nullable String body;

    @Option(
            names = "--other-body",
            paramLabel = "FILE|TEXT",
            description = "Another body that would succeed; derived from the first one if that is JSON.")
    private @Nullable String otherBody;

    @Option(names = "--bad-body", paramLabel = "FILE|TEXT", description = "A body that is refused with a 4xx.")
    private @Nullable String badBody;

    @Option(names = "--other-url", paramLabel = "URL", description = "Another operation that takes the same request.")
    private @Nullable String otherUrl;

    @Option(
            names = "--effects-url",
            paramLabel = "URL",
            description = "A URL that returns the number of effects: a number, a JSON array, or an object with a member"
                    + " count. {key} in it becomes the key.")
    private @Nullable String effectsUrl;

    @Option(
            names = "--slow-header",
            paramLabel = "LINE",
            description = "A header that makes a request take a second or longer.")
    private @Nullable String slowHeader;

    @Option(
            names = "--error-header",
            paramLabel = "LINE",
            description = "A header that makes a request fail with a 5xx after its effect.")
    private @Nullable String errorHeader;

    @Option(names = "--caller-a", paramLabel = "LINE", description = "The credentials of the caller, as a header.")
    private @Nullable String callerA;

    @Option(names = "--caller-b", paramLabel = "LINE", description = "The credentials of another caller.")
    private @Nullable String callerB;

    @Option(
            names = "--key-header",
            paramLabel = "NAME",
            description = "The header with the key. Default: Idempotency-Key, or that of --dialect.")
    private @Nullable String keyHeader;

    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            description = "The API whose conventions are expected, such as stripe; by default the Internet-Draft.")
    private @Nullable String dialect;

    @Option(names = "--bare-keys", description = "Send keys without quotes, unless the dialect says otherwise.")
    private boolean bareKeys;

    @Option(names = "--require-key", description = "A request without a key must be refused.")
    private boolean requireKey;

    @Option(
            names = "--duplicates",
            paramLabel = "N",
            defaultValue = "8",
            description = "How many equal requests are sent at the same time. Default: ${DEFAULT-VALUE}.")
    private int duplicates;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Time.class,
            description = "How long to wait for an answer. Default: ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            converter = Time.class,
            description = "How long keys are kept, if the check may wait for that long.")
    private @Nullable Duration retention;

    @Option(
            names = "--only",
            paramLabel = "CASE",
            split = ",",
            description = "Only these cases: P9.1, or P9 for all of P9.")
    private List<String> only = new ArrayList<>();

    @Option(names = "--skip", paramLabel = "CASE", split = ",", description = "All but these cases.")
    private List<String> skip = new ArrayList<>();

    @Option(names = "--json", paramLabel = "FILE|-", description = "Write a report for programs; - is standard output.")
    private @Nullable String json;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write a report for build servers.")
    private @Nullable Path junit;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a report for people, as one page.")
    private @Nullable Path html;

    @Option(names = "--yes", description = "Do not ask before sending to another machine.")
    private boolean yes;

    private CheckCommand() {}

    /** A time like 500ms, 10s, 5m or 1h. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            if (!text.matches("[1-9][0-9]{0,8}(ms|s|m|h)")) {
                throw new IllegalArgumentException("a time looks like 500ms, 10s, 5m or 1h, got " + text);
            }
            return text.endsWith("ms")
                    ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                    : Duration.parse("PT" + text);
        }
    }

    @Override
    public Integer call() throws Exception {
        CheckTarget target = SemelCommand.read(spec, this::target);
        ApiCheck check = ApiCheck.of(target);
        PrintWriter out = "-".equals(json)
                ? spec.commandLine().getErr()
                : spec.commandLine().getOut();
        TextReport text = new TextReport(Ansi.AUTO.enabled());
        out.print(text.announcement(target, check));
        out.flush();
        if (!confirmed(target, check.requests())) {
            spec.commandLine().getErr().println("semel: nothing was sent");
            return 2;
        }
        CheckReport report;
        try {
            report = check.run(result -> {
                out.print(text.line(result));
                out.flush();
            });
        } catch (CannotRunException e) {
            spec.commandLine().getErr().println("semel: " + e.getMessage());
            return 2;
        }
        out.print(text.summary(report));
        out.flush();
        write(report);
        return report.findings().isEmpty() ? 0 : 1;
    }

    private CheckTarget target() {
        CheckTarget.Builder target = CheckTarget.builder(CheckTarget.address(url))
                .method(method)
                .bareKeys(bareKeys)
                .keyRequired(requireKey)
                .duplicates(duplicates)
                .timeout(timeout)
                .only(only.toArray(String[]::new))
                .skip(skip.toArray(String[]::new));
        if (keyHeader != null) {
            target.keyHeader(keyHeader);
        }
        if (dialect != null) {
            target.dialect(CheckDialects.named(dialect));
        }
        headers.forEach(line -> header(line, target::header));
        content(body, target::body);
        content(otherBody, target::otherBody);
        content(badBody, target::badBody);
        header(slowHeader, target::slowHeader);
        header(errorHeader, target::errorHeader);
        header(callerA, target::callerA);
        header(callerB, target::callerB);
        if (otherUrl != null) {
            target.otherUri(CheckTarget.address(otherUrl));
        }
        if (effectsUrl != null) {
            target.effectsUri(effectsUrl);
        }
        if (retention != null) {
            target.retention(retention);
        }
        return target.build();
    }

    private static void header(@Nullable String text, BiConsumer<String, String> option) {
        if (text != null) {
            CheckTarget.HeaderLine line = CheckTarget.HeaderLine.parse(text);
            option.accept(line.name(), line.value());
        }
    }

    private void content(@Nullable String fileOrText, java.util.function.Consumer<String> option) {
        if (fileOrText == null) {
            return;
        }
        try {
            Path file = Path.of(fileOrText);
            option.accept(Files.isRegularFile(file) ? Files.readString(file) : fileOrText);
        } catch (InvalidPathException notAFile) {
            option.accept(fileOrText);
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "cannot read " + fileOrText + ": " + e, e);
        }
    }

    private boolean confirmed(CheckTarget target, int requests) {
        List<String> elsewhere =
                target.hosts().stream().filter(host -> !isLoopback(host)).toList();
        if (elsewhere.isEmpty() || yes) {
            return true;
        }
        String where = String.join(", ", elsewhere);
        Console console = System.console();
        if (console == null) {
            throw new ParameterException(
                    spec.commandLine(), "to send up to " + requests + " requests to " + where + ", say --yes");
        }
        String answer = console.readLine("Send up to %d requests to %s? [y/N] ", requests, where);
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    private static boolean isLoopback(String host) {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (!address.isLoopbackAddress()) {
                    return false;
                }
            }
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private void write(CheckReport report) throws IOException {
        if ("-".equals(json)) {
            spec.commandLine().getOut().print(JsonReport.render(report));
            spec.commandLine().getOut().flush();
        } else if (json != null) {
            Files.writeString(Path.of(json), JsonReport.render(report));
        }
        if (junit != null) {
            Files.writeString(junit, JUnitReport.render(report));
        }
        if (html != null) {
            Files.writeString(html, HtmlReport.render(report));
        }
    }
}
