package dev.semel.bench.design;

import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Sample;
import dev.semel.bench.server.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Drives the statements of {@link NaiveDesign} from C, so that no JVM works beside the server. */
public record Pgbench(Path binary, PostgresServer server) {

    /** A directory for each version. What is on the path is a script that chooses one of them. */
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private static final Pattern CYCLES = Pattern.compile("transactions actually processed: (\\d+)");
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");

    /** The key is as long as a UUID. Each statement is a transaction of its own. */
    private static final String SCRIPT = """
            \\set high random(1000000000000000, 9999999999999999)
            \\set low random(1000000000000000000, 9000000000000000000)
            %s;
            %s;
            """.formatted(
                    NaiveDesign.CLAIM.replace("(?, ?)", "(:high || '-' || :low, :hash)"),
                    NaiveDesign.SETTLE
                            .replace("?::jsonb", "(:before || :high || '-' || :low || :after)::jsonb")
                            .replace("= ?", "= :high || '-' || :low"));

    /** {@code null} where Debian's package is missing. */
    public static @Nullable Pgbench find(PostgresServer server) throws IOException {
        if (!Files.isDirectory(VERSIONS)) {
            return null;
        }
        try (Stream<Path> versions = Files.list(VERSIONS)) {
            return versions.map(version -> version.resolve("bin/pgbench"))
                    .filter(Files::isExecutable)
                    .max(Comparator.naturalOrder())
                    .map(binary -> new Pgbench(binary, server))
                    .orElse(null);
        }
    }

    public Sample run(int clients, Duration time) throws IOException, InterruptedException {
        Path script = Files.writeString(Files.createTempFile("semel-bench", ".pgbench"), SCRIPT);
        try {
            long seconds = Math.max(1, time.toSeconds());
            Process process = new ProcessBuilder(
                            binary.toString(),
                            "--no-vacuum",
                            "--protocol=prepared",
                            "--client=" + clients,
                            "--jobs=2",
                            "--time=" + seconds,
                            "--file=" + script,
                            "--define=hash=" + NaiveDesign.HASH,
                            "--define=before=" + Payload.BEFORE,
                            "--define=after=" + Payload.AFTER,
                            "--host=127.0.0.1",
                            "--port=" + server.server().getPort(),
                            "--username=postgres",
                            "postgres")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException("pgbench failed:\n" + said);
            }
            long cycles = Math.round(number(CYCLES, said));
            return new Sample(cycles, cycles, cycles / number(RATE, said), new long[0]);
        } finally {
            Files.delete(script);
        }
    }

    private static double number(Pattern pattern, String said) throws IOException {
        Matcher matcher = pattern.matcher(said);
        if (!matcher.find()) {
            throw new IOException("pgbench did not say what it has done:\n" + said);
        }
        return Double.parseDouble(matcher.group(1));
    }
}
