package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.StripeBench.Network;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * Stripe's own library for Node, which takes every answer without a member {@code error} for a success. Skipped where
 * there is no Node, or no registry to fetch the library from.
 */
class StripeNodeSdkTest {

    private static final String LIBRARY = "stripe@23.1.0";
    private static final Path DIRECTORY = Path.of("target", "stripe-node").toAbsolutePath();

    private static String run(long seconds, String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(DIRECTORY.toFile())
                    .redirectError(DIRECTORY.resolve("errors.txt").toFile())
                    .start();
        } catch (IOException e) {
            Assumptions.abort("there is no " + command[0] + " on the PATH");
            throw e;
        }
        try {
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Assumptions.assumeTrue(process.waitFor(seconds, TimeUnit.SECONDS), command[0] + " did not end");
            Assumptions.assumeTrue(
                    process.exitValue() == 0 || !command[0].equals("npm"),
                    "the registry has no " + LIBRARY + " for us");
            assertThat(process.exitValue())
                    .as(Files.readString(DIRECTORY.resolve("errors.txt")))
                    .isZero();
            return out;
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void retriesReplaysAndThrowsAsWithStripe() throws Exception {
        Files.createDirectories(DIRECTORY);
        run(10, "node", "--version");
        if (!Files.exists(DIRECTORY.resolve("node_modules/stripe/package.json"))) {
            run(60, "npm", "install", "--prefix", ".", "--no-audit", "--no-fund", "--ignore-scripts", LIBRARY);
        }
        Path script = Path.of("src", "test", "resources", "stripe-client.cjs").toAbsolutePath();
        try (StripeBench bench = new StripeBench()) {
            bench.plan(2, List.of(Network.LOSES_ANSWER));
            bench.plan(3, List.of(Network.SILENT_MEANWHILE));
            JsonObject said = new JsonObject(run(
                    60,
                    "node",
                    script.toString(),
                    Integer.toString(bench.uri().getPort()),
                    DIRECTORY.resolve("node_modules/stripe").toString()));

            assertThat(said.getString("first")).isEqualTo("pi_1_1");
            assertThat(said.getString("again")).isEqualTo("pi_1_1");
            assertThat(said.getString("againMark")).isEqualTo("true");
            assertThat(said.getString("otherBody")).isEqualTo("StripeIdempotencyError 400");
            assertThat(said.getString("lostAnswer")).isEqualTo("pi_2_1");
            assertThat(said.getString("inFlight")).isEqualTo("pi_3_1");
            for (int order = 1; order <= 3; order++) {
                assertThat(bench.effects(order)).as("effects of order " + order).isEqualTo(1);
            }
            assertThat(bench.effects(9)).as("effects of the other body").isZero();
            assertThat(bench.attempts(2)).isGreaterThan(1);
            assertThat(bench.attempts(3)).isGreaterThan(1);
        }
    }
}
