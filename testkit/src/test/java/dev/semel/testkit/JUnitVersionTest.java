package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The testkit does not bring JUnit: tests run on the version that their module declares. */
class JUnitVersionTest {

    @Test
    void theModuleDecidesWhichJUnitThereIs() {
        assertThat(Test.class.getPackage().getImplementationVersion()).isEqualTo(System.getProperty("junit.expected"));
    }
}
