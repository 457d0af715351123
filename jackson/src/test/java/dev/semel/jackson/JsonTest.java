package dev.semel.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonTest {

    static List<Json> libraries() {
        return List.of(
                new Jackson3Json(tools.jackson.databind.json.JsonMapper.shared()),
                new Jackson2Json(new com.fasterxml.jackson.databind.ObjectMapper()));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void keepsARecordAsJson(Json json) {
        OutcomeCodec<Receipt> codec = json.outcomes(Receipt.class);

        Outcome stored = codec.encode(new Receipt("ch_1", 4200));

        assertThat(stored.contentType()).isEqualTo("application/json");
        assertThat(stored.requirePayload()).asString().isEqualTo("{\"id\":\"ch_1\",\"cents\":4200}");
        assertThat(codec.decode(stored)).isEqualTo(new Receipt("ch_1", 4200));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void keepsNull(Json json) {
        OutcomeCodec<Receipt> codec = json.outcomes(Receipt.class);

        assertThat(codec.decode(codec.encode(null))).isNull();
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void keepsAListOfRecords(Json json) throws NoSuchMethodException {
        Codec<List<Receipt>> codec =
                json.codec(JsonTest.class.getDeclaredMethod("receipts").getGenericReturnType());

        assertThat(codec.decode(codec.encode(receipts()))).isEqualTo(receipts());
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void refusesToKeepWhatItCouldNotReadBack(Json json) {
        Codec<Unreadable> codec = json.codec(Unreadable.class);

        assertThatThrownBy(() -> codec.encode(new Unreadable(1))).isInstanceOf(RuntimeException.class);
        assertThat(json.unreadable(Unreadable.class)).isNotNull();
        assertThat(json.unreadable(Receipt.class)).isNull();
    }

    private static List<Receipt> receipts() {
        return List.of(new Receipt("ch_1", 1), new Receipt("ch_2", 2));
    }

    record Receipt(String id, int cents) {}

    /** Can be written, but has no constructor that Jackson knows how to call. */
    static final class Unreadable {

        private final int[] numbers;

        Unreadable(int... numbers) {
            this.numbers = numbers;
        }

        public int getCount() {
            return numbers.length;
        }
    }
}
