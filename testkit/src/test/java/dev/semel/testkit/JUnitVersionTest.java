package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The testkit brings no JUnit of its own: tests run on the one that their module asks for. */
class JUnitVersionTest {

    @Test
    void theModuleDecidesWhichJUnitThereIs() {
        assertThat(Test.class.getPackage().getImplementationVersion()).isEqualTo(System.getProperty("junit.expected"));
    }
}
