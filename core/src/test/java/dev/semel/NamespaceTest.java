package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceTest {

    @Test
    void readsVersionAndName() {
        assertThat(Namespace.parse("v2:payments")).isEqualTo(new Namespace(2, "payments"));
        assertThat(Namespace.parse("v2:payments")).hasToString("v2:payments");
    }

    @ParameterizedTest
    @ValueSource(strings = {"payments", "v0:payments", "v1:", "v:payments", "v1:Pay", "2:payments", "v1234567:p", ""})
    void refusesOtherFormsAndNamesThem(String text) {
        assertThatThrownBy(() -> Namespace.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("namespace");
    }

    @Test
    void refusesAVersionOutsideItsLimits() {
        assertThatThrownBy(() -> new Namespace(0, "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("between 1 and 999999, got 0");
        assertThatThrownBy(() -> new Namespace(1_000_000, "a")).isInstanceOf(IllegalArgumentException.class);
    }
}
