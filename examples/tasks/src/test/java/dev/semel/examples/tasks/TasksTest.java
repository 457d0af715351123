package dev.semel.examples.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.examples.tasks.Tasks.Bank;
import dev.semel.examples.tasks.Tasks.Processor;
import dev.semel.examples.tasks.Tasks.Receipt;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testservers.TestPostgres;
import dev.semel.testservers.TestRedis;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TasksTest {

    private final HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
    private final JdbcKeyStore store =
            JdbcKeyStore.builder(pool).createIfMissing().build();
    private final AtomicInteger runs = new AtomicInteger();
    private final Supplier<String> work = () -> "run " + runs.incrementAndGet();
    private final Semel semel = Semel.builder(store).build();

    @AfterEach
    void close() {
        semel.close();
        store.close();
        pool.close();
    }

    @Test
    void aChargeIsReplayedFromJson() {
        Processor processor = (cents, key) -> new Receipt("receipt " + runs.incrementAndGet(), cents);

        Receipt first = Tasks.charge(semel, processor, "shop", "order-1");

        assertThat(Tasks.charge(semel, processor, "shop", "order-1"))
                .isEqualTo(first)
                .isEqualTo(new Receipt("receipt 1", 4200));
    }

    @Test
    void anOrderIsPlacedInItsTransaction() throws Exception {
        TestPostgres.execute(pool, "CREATE TABLE orders (name text)");

        for (int i = 0; i < 2; i++) {
            assertThat(Tasks.placeOrder(semel, pool, "eve", "order-1")).isEqualTo("order-1 placed");
        }

        assertThat(TestPostgres.number(pool, "SELECT count(*) FROM orders")).isOne();
    }

    @Test
    void keysAreInRedis() throws Exception {
        try (TestRedis redis = TestRedis.start()) {
            for (int i = 0; i < 2; i++) {
                assertThat(Tasks.onRedis(redis.url(), work, "eve")).isEqualTo("run 1");
            }
        }
    }

    @Test
    void aDuplicateWaitsForTheFirst() {
        CompletableFuture<Void> started = new CompletableFuture<>();
        CompletableFuture<String> result = new CompletableFuture<>();
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> Tasks.report(
                semel,
                () -> {
                    started.complete(null);
                    return result.join();
                },
                "May"));
        started.join();
        CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> Tasks.report(semel, work, "May"));
        await().until(() -> semel.activity().waiting() == 1);

        result.complete("the report");

        assertThat(first.join()).isEqualTo("the report");
        assertThat(second.join()).isEqualTo("the report");
        assertThat(runs).hasValue(0);
    }

    @Test
    void theBankTellsWhatHappenedToATransfer() {
        LosingBank bank = new LosingBank();
        assertThatThrownBy(() -> Tasks.transfer(Semel.builder(store), bank, "rent"))
                .isInstanceOf(OutcomeUnknownException.class);
        endLeases();

        assertThat(Tasks.transfer(Semel.builder(store), bank, "rent")).isEqualTo("transfer 1");
    }

    @Test
    void aPersonHasToLookWhenTheBankCannotTell() {
        LosingBank bank = new LosingBank();
        assertThatThrownBy(() -> Tasks.transfer(Semel.builder(store), bank, "rent"))
                .isInstanceOf(OutcomeUnknownException.class);
        endLeases();
        bank.transfers.clear();

        assertThat(Tasks.transfer(Semel.builder(store), bank, "rent")).isEqualTo("a person has to look");
    }

    /** As if the time of a lease had passed. */
    private void endLeases() {
        TestPostgres.execute(pool, "UPDATE semel_key SET lease_until = claimed_at");
    }

    /** Carries a transfer out, and loses the answer. */
    private static final class LosingBank implements Bank {

        private final Map<String, String> transfers = new HashMap<>();

        @Override
        public String transfer(String reference) {
            transfers.put(reference, "transfer " + (transfers.size() + 1));
            throw new OutcomeUnknownException("no answer from the bank", null);
        }

        @Override
        public CompletionStage<Optional<String>> find(String reference) {
            return CompletableFuture.completedStage(Optional.ofNullable(transfers.get(reference)));
        }
    }
}
