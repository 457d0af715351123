package dev.semel.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.OperationFailedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.examples.recipes.Saga.Airline;
import dev.semel.examples.recipes.Saga.NoRoomException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SagaTest {

    private final RecipeStore store = new RecipeStore();
    private final List<String> done = new ArrayList<>();

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aTripIsBookedOnce() throws Exception {
        Saga saga = new Saga(store.semel(), new PlainAirline(), (trip, key) -> note("room for " + trip));

        assertThat(saga.book("eve", "rome")).isEqualTo("flight to rome, room for rome");
        assertThat(saga.book("eve", "rome")).isEqualTo("flight to rome, room for rome");

        assertThat(done).containsExactly("flight to rome", "room for rome");
    }

    @Test
    void aFlightWithoutARoomIsCancelled() {
        Saga saga = new Saga(store.semel(), new PlainAirline(), (trip, key) -> "");
        assertThatThrownBy(() -> saga.book("eve", "rome")).isInstanceOf(NoRoomException.class);

        assertThatThrownBy(() -> saga.book("eve", "rome")).isInstanceOf(OperationFailedException.class);

        assertThat(done).containsExactly("flight to rome", "cancel flight to rome");
    }

    @Test
    void aServerThatDiesWhileItCompensatesIsReplacedWhereItStopped() {
        Saga dying = new Saga(
                store.semel(),
                new PlainAirline() {
                    @Override
                    public String cancel(String flight, String key) {
                        throw new OutcomeUnknownException("the server dies here", null);
                    }
                },
                (trip, key) -> "");
        assertThatThrownBy(() -> dying.book("eve", "rome")).isInstanceOf(OutcomeUnknownException.class);
        store.endLeases();

        Saga other = new Saga(store.semel(), new PlainAirline(), (trip, key) -> note("a room that is free again"));

        assertThatThrownBy(() -> other.book("eve", "rome")).isInstanceOf(NoRoomException.class);
        assertThat(done).containsExactly("flight to rome", "cancel flight to rome");
    }

    private String note(String effect) {
        done.add(effect);
        return effect;
    }

    private class PlainAirline implements Airline {

        @Override
        public String book(String trip, String key) {
            return note("flight to " + trip);
        }

        @Override
        public String cancel(String flight, String key) {
            return note("cancel " + flight);
        }
    }
}
