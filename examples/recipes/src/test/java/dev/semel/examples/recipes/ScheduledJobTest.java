package dev.semel.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScheduledJobTest {

    private static final LocalDate NIGHT = LocalDate.of(2026, 1, 31);
    private static final List<String> CUSTOMERS = List.of("eve", "bob", "ann");

    private final RecipeStore store = new RecipeStore();
    private final List<String> sent = new ArrayList<>();

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void oneNodeRunsTheJobOfANight() throws Exception {
        try (Semel other = Semel.builder(store.store()).build()) {
            assertThat(new ScheduledJob(store.semel(), this::send).run(NIGHT, CUSTOMERS))
                    .isTrue();
            assertThat(new ScheduledJob(other, this::send).run(NIGHT, CUSTOMERS))
                    .isTrue();
        }

        assertThat(sent).isEqualTo(CUSTOMERS);
    }

    @Test
    void aNodeThatDiedIsReplacedWhereItStopped() throws Exception {
        ScheduledJob dying = new ScheduledJob(store.semel(), (customer, key) -> {
            if (customer.equals("ann")) {
                throw new OutcomeUnknownException("the node dies here", null);
            }
            return send(customer, key);
        });
        assertThatThrownBy(() -> dying.run(NIGHT, CUSTOMERS)).isInstanceOf(OutcomeUnknownException.class);
        ScheduledJob other = new ScheduledJob(store.semel(), this::send);
        assertThat(other.run(NIGHT, CUSTOMERS)).as("while the lease lasts").isFalse();

        store.endLeases();

        assertThat(other.run(NIGHT, CUSTOMERS)).isTrue();
        assertThat(sent).isEqualTo(CUSTOMERS);
    }

    @Test
    void theProgramSendsOnceForEachDay() throws Exception {
        String database = store.pool().getJdbcUrl();

        for (String day : List.of("2026-01-30", "2026-01-30", "2026-01-31")) {
            ScheduledJob.main(new String[] {database, day});
        }

        assertThat(store.count("semel_key WHERE operation = 'nightly-statements'"))
                .isEqualTo(2);
    }

    private String send(String customer, String key) {
        sent.add(customer);
        return key;
    }
}
