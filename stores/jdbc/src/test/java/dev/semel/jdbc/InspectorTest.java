package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Upkeep;
import dev.semel.jdbc.sqlite.SqliteDialect;
import dev.semel.jdbc.sqlite.TestSqlite;
import dev.semel.store.StoreUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectorTest {

    @Test
    void waitingCallersGetAnErrorWhenTheStoreCloses(@TempDir Path directory) throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        SqliteDialect dialect = new SqliteDialect();
        try (HikariDataSource pool = TestSqlite.pool(directory.resolve("keys.db"))) {
            Inspector inspector = new Inspector(
                    new StoreConnections(pool, Duration.ofMinutes(1)),
                    dialect,
                    dialect.inspection(TableName.of(null, TableName.DEFAULT), new Upkeep(false, null, null)));
            List<CompletableFuture<Boolean>> answers = Stream.generate(() -> inspector
                            .ask("a long look", (inspection, connection) -> {
                                asked.countDown();
                                return awaitRegardless(goOn);
                            })
                            .toCompletableFuture())
                    .limit(3)
                    .toList();
            asked.await();

            Thread.currentThread().interrupt();
            inspector.close();

            assertThat(Thread.interrupted()).isTrue();
            assertThatThrownBy(answers.get(2)::join)
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("closed");
            goOn.countDown();
            assertThat(answers.subList(0, 2)).allMatch(CompletableFuture::join);
        }
    }

    /** As a statement of most drivers, it does not notice an interrupt. */
    private static boolean awaitRegardless(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return true;
            } catch (InterruptedException e) {
                // It goes on.
            }
        }
    }
}
