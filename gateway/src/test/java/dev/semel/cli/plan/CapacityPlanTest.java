package dev.semel.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.semel.cli.plan.CapacityPlan.Choice;
import dev.semel.cli.plan.CapacityPlan.Store;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class CapacityPlanTest {

    private static final Choice POSTGRES = new Choice(Store.POSTGRES, false);
    private static final Choice COMPRESSED = new Choice(Store.POSTGRES, true);
    private static final Choice REDIS = new Choice(Store.REDIS, false);

    /** Round numbers: cpu in nanoseconds, the rest in bytes. */
    private static final MeasuredFigures FIGURES = figures("""
            postgres.bytes.500 = 1000
            postgres.bytes.1500 = 2000
            postgres.bytes.500.compressed = 600
            postgres.bytes.1500.compressed = 1000
            postgres.index = 40
            postgres.log.500 = 1000
            postgres.log.1500 = 2000
            postgres.cpu.500 = 100000
            postgres.cpu.1500 = 100000
            gateway.postgres.cpu.500 = 200000
            gateway.postgres.cpu.1500 = 200000
            redis.bytes.500 = 900
            redis.bytes.1500 = 1900
            redis.log.500 = 1000
            redis.log.1500 = 2000
            redis.cpu.500 = 50000
            redis.cpu.1500 = 50000
            gateway.redis.cpu.500 = 200000
            gateway.redis.cpu.1500 = 200000
            redis.connections = 20
            """);

    @Test
    void keepsTheKeysOfOneRetention() {
        assertThat(plan(50, Duration.ofHours(1), 500).keys()).isEqualTo(180_000);
    }

    @Test
    void keepsHalfAsManyMoreWhereAGenerationHasToEndFirst() {
        CapacityPlan plan = plan(5000, Duration.ofHours(24), 500);

        assertThat(plan.generations()).isTrue();
        assertThat(plan.generation()).isEqualTo(Duration.ofHours(12));
        assertThat(plan.mostKeys(Store.POSTGRES)).isEqualTo(648_000_000);
        assertThat(plan.mostKeys(Store.REDIS)).isEqualTo(432_000_000);
        assertThat(plan.disk(POSTGRES)).isEqualTo(648e9);
        assertThat(plan.disk(COMPRESSED)).isEqualTo(648e6 * 600);
        assertThat(plan.memory(POSTGRES)).isEqualTo(648e6 * 40);
        assertThat(plan.memory(REDIS)).isEqualTo(432e6 * 900);
        assertThat(plan.disk(REDIS)).isEqualTo(2 * 432e6 * 900);
    }

    @Test
    void deletesRowByRowWhereThereAreFewKeys() {
        CapacityPlan plan = plan(100, Duration.ofHours(24), 500);

        assertThat(plan.generations()).isFalse();
        assertThat(plan.mostKeys(Store.POSTGRES)).isEqualTo(8_640_000);
    }

    @Test
    void readsSizesBetweenAndBeyondThoseThatWereMeasured() {
        assertThat(plan(1, Duration.ofHours(1), 0).bytesPerKey(POSTGRES)).isEqualTo(1000);
        assertThat(plan(1, Duration.ofHours(1), 750).bytesPerKey(POSTGRES)).isEqualTo(1250);
        assertThat(plan(1, Duration.ofHours(1), 1500).bytesPerKey(POSTGRES)).isEqualTo(2000);
        assertThat(plan(1, Duration.ofHours(1), 2500).bytesPerKey(POSTGRES)).isEqualTo(3000);
        assertThat(plan(1, Duration.ofHours(1), 2500).bytesPerKey(COMPRESSED)).isEqualTo(1400, within(1e-6));
    }

    @Test
    void countsALoggedPageOfTheIndexWithEveryClaimAtMost() {
        CapacityPlan plan = plan(1000, Duration.ofHours(24), 500);

        assertThat(plan.logPerSecond(POSTGRES)).isEqualTo(1e6);
        assertThat(plan.mostLogPerSecond(POSTGRES)).isEqualTo(1e6 + 8_192_000);
        assertThat(plan.maxWalSize(POSTGRES)).isEqualTo(600 * (1e6 + 8_192_000));
        assertThat(plan.mostLogPerSecond(REDIS)).isEqualTo(1e6);
        assertThat(plan(1, Duration.ofHours(24), 500).maxWalSize(POSTGRES)).isEqualTo(1 << 30);
    }

    @Test
    void leavesHalfOfEveryCoreFree() {
        CapacityPlan plan = plan(20_000, Duration.ofHours(1), 500);

        // 20,000/s x 100 us are 2 cores, and 200 us are 4: as many again are left free.
        assertThat(plan.serverCores(POSTGRES)).isEqualTo(4);
        assertThat(plan.gateways(POSTGRES)).isEqualTo(4);
        assertThat(plan.connections(POSTGRES)).isEqualTo(32);
        assertThat(plan.connections(REDIS)).isEqualTo(80);
    }

    @Test
    void hasTwoGatewaysAndThreePrimariesAtLeast() {
        CapacityPlan plan = plan(1, Duration.ofHours(1), 500);

        assertThat(plan.gateways(POSTGRES)).isEqualTo(2);
        assertThat(plan.serverCores(POSTGRES)).isEqualTo(2);
        assertThat(plan.serverCores(REDIS)).isEqualTo(3);
    }

    @Test
    void advisesTheSimplestStoreThatCanDoIt() {
        assertThat(plan(80_000, Duration.ofHours(1), 500).advice()).isEqualTo(POSTGRES);
        assertThat(plan(80_001, Duration.ofHours(1), 500).advice()).isEqualTo(REDIS);
        assertThat(plan(160_000, Duration.ofHours(1), 500).advice()).isEqualTo(REDIS);
        assertThat(plan(160_001, Duration.ofHours(1), 500).advice()).isNull();
    }

    @Test
    void saysWhichFigureIsMissing() {
        CapacityPlan plan = new CapacityPlan(1, Duration.ofHours(1), 500, figures("postgres.bytes.500 = 1000"));

        assertThatThrownBy(() -> plan.disk(POSTGRES)).hasMessageContaining("postgres.bytes");
        assertThatThrownBy(plan::gatewayMemory).hasMessageContaining("gateway.memory");
    }

    private static CapacityPlan plan(int rate, Duration retention, long response) {
        return new CapacityPlan(rate, retention, response, FIGURES);
    }

    private static MeasuredFigures figures(String text) {
        Properties values = new Properties();
        try {
            values.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new MeasuredFigures(values);
    }
}
