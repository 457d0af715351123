package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class CodecTest {

    @Test
    void isMadeOfTwoFunctions() {
        Codec<Integer> codec = Codec.of(
                value -> ByteBuffer.allocate(4).putInt(value).array(),
                bytes -> ByteBuffer.wrap(bytes).getInt());

        assertThat(codec.encode(258)).containsExactly(0, 0, 1, 2);
        assertThat(codec.decode(codec.encode(258))).isEqualTo(258);
    }

    @Test
    void keepsNothing() {
        OutcomeCodec<Void> codec = OutcomeCodec.nothing();

        assertThat(codec.encode(null).requirePayload()).isEmpty();
        assertThat(codec.decode(codec.encode(null))).isNull();
    }

    @Test
    void replaysAFailureAsTheExceptionOfTheApplication() {
        OutcomeCodec<String> codec = OutcomeCodec.text().mapFailures(CodecTest::declined);
        Outcome stored = codec.encodeFailure(new Declined("no funds"));

        assertThatThrownBy(() -> codec.decode(stored))
                .isInstanceOf(Declined.class)
                .hasMessage("no funds");
    }

    @Test
    void replaysAFailureThatTheApplicationDoesNotKnowAsItIsStored() {
        OutcomeCodec<String> codec = OutcomeCodec.text().mapFailures(CodecTest::declined);
        Outcome stored = codec.encodeFailure(new IllegalStateException("out of order"));

        assertThatThrownBy(() -> codec.decode(stored))
                .isInstanceOfSatisfying(
                        OperationFailedException.class,
                        e -> assertThat(e.type()).isEqualTo(IllegalStateException.class.getName()));
    }

    /** It would look like a new failure to an operation around this one. */
    @Test
    void doesNotUseAnExceptionThatCannotCarryTheStoredFailure() {
        OutcomeCodec<String> codec = OutcomeCodec.text().mapFailures(stored -> new Bare());
        Outcome stored = codec.encodeFailure(new Bare());

        assertThatThrownBy(() -> codec.decode(stored)).isInstanceOf(OperationFailedException.class);
    }

    @Test
    void keepsValuesBesideMappedFailures() {
        OutcomeCodec<String> codec = OutcomeCodec.text().mapFailures(CodecTest::declined);

        assertThat(codec.decode(codec.encode("ch_1"))).isEqualTo("ch_1");
    }

    private static RuntimeException declined(OperationFailedException stored) {
        return stored.type().equals(Declined.class.getName()) ? new Declined(stored.getMessage()) : stored;
    }

    private static final class Declined extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Declined(String message) {
            super(message);
        }
    }

    private static final class Bare extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Bare() {
            super("bare", null, false, false);
        }
    }
}
