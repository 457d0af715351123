package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.StripeBench.Network;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Stripe's own library for Node, which takes every answer without a member {@code error} for a success. Skipped where
 * there is no Node, or no registry to fetch the library from.
 */
class StripeNodeSdkTest {

    private static final String LIBRARY = "stripe@23.1.0";

    @Test
    void retriesReplaysAndThrowsAsWithStripe() throws Exception {
        NpmPackages library = NpmPackages.in("stripe-node", LIBRARY);
        Path script = Path.of("src", "test", "resources", "stripe-client.cjs").toAbsolutePath();
        try (StripeBench bench = new StripeBench()) {
            bench.plan(2, List.of(Network.LOSES_ANSWER));
            bench.plan(3, List.of(Network.SILENT_MEANWHILE));
            JsonObject said = new JsonObject(library.run(
                    60,
                    "node",
                    script.toString(),
                    Integer.toString(bench.uri().getPort()),
                    library.directory().resolve("node_modules/stripe").toString()));

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
