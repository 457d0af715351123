package dev.semel.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.NoValueException;
import dev.semel.examples.recipes.Amendment.Change;
import dev.semel.testservers.TestPostgres;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AmendmentTest {

    private final RecipeStore store = new RecipeStore();
    private final Amendment amendment = new Amendment(store.semel(), store.pool());

    @BeforeEach
    void placeOrder() {
        TestPostgres.execute(
                store.pool(),
                "CREATE TABLE orders (id text, version bigint, quantity int)",
                "INSERT INTO orders VALUES ('order-1', 1, 5)");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aLateRetryDoesNotUndoALaterAmendment() throws Exception {
        assertThat(amendment.amend("eve", "first", new Change("order-1", 1, 6))).isEqualTo("version 2");
        assertThat(amendment.amend("eve", "second", new Change("order-1", 2, 7)))
                .isEqualTo("version 3");

        assertThat(amendment.amend("eve", "first", new Change("order-1", 1, 6))).isEqualTo("version 2");

        assertThat(quantity()).isEqualTo(7);
    }

    @Test
    void anAmendmentOfAnOldVersionIsRefusedEachTime() throws Exception {
        amendment.amend("eve", "first", new Change("order-1", 1, 6));

        for (int i = 0; i < 2; i++) {
            assertThat(amendment.amend("eve", "second", new Change("order-1", 1, 9)))
                    .isEqualTo("stale");
        }
        assertThat(quantity()).isEqualTo(6);
    }

    @Test
    void aKeyIsForOneAmendment() throws Exception {
        amendment.amend("eve", "first", new Change("order-1", 1, 6));

        assertThatThrownBy(() -> amendment.amend("eve", "first", new Change("order-1", 2, 7)))
                .isInstanceOf(NoValueException.class);
        assertThat(quantity()).isEqualTo(6);
    }

    private long quantity() {
        return TestPostgres.number(store.pool(), "SELECT quantity FROM orders");
    }
}
