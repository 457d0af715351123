package dev.semel.spring.autoconfigure;

import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.AutoConfigurations;

/** The auto-configurations that every application with Semel has. */
public final class SemelConfigurations {

    private SemelConfigurations() {}

    /** The store, the engine, and others. */
    public static AutoConfigurations with(Class<?>... others) {
        return AutoConfigurations.of(
                Stream.concat(Stream.of(StoreAutoConfiguration.class, SemelAutoConfiguration.class), Stream.of(others))
                        .toArray(Class<?>[]::new));
    }
}
