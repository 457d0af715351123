package dev.semel.gateway.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fuzzing has found in files that are nearly YAML. */
class OddYamlTest {

    @ParameterizedTest
    @ValueSource(strings = {"!%20 a", "!<%20x> a", "lease: !%20%20 30s", "a: ["})
    void whatTheParserCannotReadIsAComplaintThatNamesTheFile(String text) {
        assertThatThrownBy(() -> YamlFile.read("gateway.yaml", new StringReader(text), name -> null, new Settings()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("gateway.yaml");
    }
}
