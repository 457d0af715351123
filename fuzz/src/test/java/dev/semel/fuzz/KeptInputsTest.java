package dev.semel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The inputs that fuzzing has kept; among them all that once broke something. */
class KeptInputsTest {

    @ParameterizedTest
    @EnumSource
    void everyKeptInputHoldsItsRules(Target target) throws Exception {
        List<byte[]> inputs = Inputs.of(target);
        assertThat(inputs).isNotEmpty();
        Method fuzz = Class.forName(target.className()).getMethod("fuzzerTestOneInput", byte[].class);
        for (byte[] input : inputs) {
            fuzz.invoke(null, (Object) input);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKeptInputIsWrittenInOneWay(Target target) {
        assertThat(Inputs.of(target))
                .allSatisfy(
                        input -> assertThat(Inputs.bytes(Inputs.escaped(input))).isEqualTo(input))
                .extracting(Inputs::escaped)
                .doesNotHaveDuplicates();
    }
}
