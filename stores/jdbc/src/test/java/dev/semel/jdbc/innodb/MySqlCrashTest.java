package dev.semel.jdbc.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.NumberedClaims;
import dev.semel.spi.Claim;
import dev.semel.testkit.crash.CrashLoad;
import dev.semel.testservers.TestMySql;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** MySQL is killed under load: it loses nothing that it has acknowledged, and calls under way succeed afterwards. */
@EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
class MySqlCrashTest {

    private static final int SETTLES_BEFORE_KILL = 1_000;
    private static final int SETTLES_AFTER_RESTART = 500;

    @Test
    void losesNothingThatWasAcknowledgedAndTokensGrowOn() throws Exception {
        try (HikariDataSource pool = TestMySql.newDatabase(4);
                JdbcKeyStore store = JdbcKeyStore.builder(pool)
                        .createIfMissing()
                        .giveUpAfter(Duration.ofMinutes(2))
                        .build();
                CrashLoad load = CrashLoad.start(store)) {
            load.awaitSettles(SETTLES_BEFORE_KILL);

            TestMySql.server().kill();
            long before = load.largestToken();
            TestMySql.server().restart();

            Claim first =
                    store.claim(NumberedClaims.claim(-1)).toCompletableFuture().join();
            assertThat(((Claim.Acquired) first).lease().token()).isGreaterThan(before);
            load.awaitSettles(SETTLES_AFTER_RESTART);
            load.verify();
            assertThat(load.repeated()).isZero();
        }
    }
}
