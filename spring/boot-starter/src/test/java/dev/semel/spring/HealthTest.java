package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The health of the store, which Spring Boot 4 alone is told. */
class HealthTest {

    @Test
    void saysHowManyKeysWaitForADecision() throws Exception {
        assertThat(MvcApplication.client().get("/actuator/health").body()).contains("\"semel\"", "\"unknown\":");
    }
}
