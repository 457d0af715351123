package dev.semel.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PackagingTest {

    @Test
    void shipsAConfigurationThatTheGatewayTakes() {
        Settings settings = new Settings().putOption(Setting.ADMIN_TOKEN, "from the environment");

        GatewayConfig config =
                GatewayConfig.of(settings, YamlFile.read(Path.of("..", "packaging", "gateway.yaml"), settings));

        assertThat(config.routes()).extracting(Route::operation).containsExactly("/search/**", "payments", "default");
        assertThat(config.scope()).isEqualTo(new ScopeRule.FromHeader("X-User"));
    }
}
