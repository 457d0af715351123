package dev.semel.quarkus.deployment;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.util.Optional;

/** The configuration under {@code semel} that is read when the application is built. */
@ConfigMapping(prefix = "semel")
@ConfigRoot(phase = ConfigPhase.BUILD_TIME)
public interface SemelBuildConfig {

    /** The URL of the console, for a link in the Dev UI in dev mode. */
    Optional<URI> consoleUrl();

    /** The health check. */
    Health health();

    /** The health check. */
    interface Health {

        /** Whether the application is ready only while the store answers, if it has quarkus-smallrye-health. */
        @WithDefault("true")
        boolean enabled();
    }
}
