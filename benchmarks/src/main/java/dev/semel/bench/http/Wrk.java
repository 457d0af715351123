package dev.semel.bench.http;

import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends load with wrk, and reads what it says. */
public record Wrk(String binary, Path script) {

    public static final int CONNECTIONS = 64;

    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
    private static final Pattern P50 = Pattern.compile("50%\\s+([0-9.]+)(us|ms|s|m)");
    private static final Pattern P99 = Pattern.compile("99%\\s+([0-9.]+)(us|ms|s|m)");

    /** The first argument begins every key, and is new for every run; without one no key is sent. */
    private static final String SCRIPT = """
            local prefix, n = nil, 0
            function init(args)
                if args[1] and args[1] ~= "" then prefix = args[1] end
                wrk.method = "POST"
                wrk.body = '{"amount": 100, "currency": "eur"}'
                wrk.headers["Content-Type"] = "application/json"
            end
            function request()
                if prefix then
                    n = n + 1
                    wrk.headers["Idempotency-Key"] = prefix .. "-" .. n
                end
                return wrk.format()
            end
            """;

    public static Wrk find(Path directory) throws IOException {
        for (String path : List.of("/usr/bin/wrk", "/usr/local/bin/wrk")) {
            if (Files.isExecutable(Path.of(path))) {
                return new Wrk(path, Files.writeString(directory.resolve("load.lua"), SCRIPT));
            }
        }
        throw new IOException("wrk is needed to measure (on Debian: apt-get install wrk)");
    }

    Result run(int port, boolean withKeys, Duration time) throws IOException, InterruptedException {
        return run(port, "/orders", CONNECTIONS, withKeys ? Payload.newKey() : "", time);
    }

    /**
     * One thread of wrk, so that the keys of a run are counted by one counter.
     *
     * @param prefix what every key begins with; empty to send none
     */
    public Result run(int port, String path, int connections, String prefix, Duration time)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        binary,
                        "-t1",
                        "-c" + connections,
                        "-d" + time.toSeconds() + "s",
                        "--latency",
                        "--timeout",
                        "10s",
                        "-s",
                        script.toString(),
                        "http://127.0.0.1:" + port + path,
                        "--",
                        prefix)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0 || said.contains("Non-2xx") || said.contains("Socket errors")) {
            throw new IOException("wrk did not get the answers it should:\n" + said);
        }
        return parse(said);
    }

    static Result parse(String said) {
        Matcher rate = RATE.matcher(said);
        if (!rate.find()) {
            throw new IllegalArgumentException("no rate in what wrk says:\n" + said);
        }
        return new Result(Double.parseDouble(rate.group(1)), millis(P50, said), millis(P99, said), 0, -1);
    }

    private static double millis(Pattern pattern, String said) {
        Matcher matcher = pattern.matcher(said);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no latency in what wrk says:\n" + said);
        }
        double value = Double.parseDouble(matcher.group(1));
        return switch (matcher.group(2)) {
            case "us" -> value / 1000;
            case "s" -> value * 1000;
            case "m" -> value * 60_000;
            default -> value;
        };
    }
}
