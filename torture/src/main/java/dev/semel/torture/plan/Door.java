package dev.semel.torture.plan;

import java.util.Arrays;
import java.util.Locale;

/** The way in: what stands between clients and the operations. */
public enum Door {
    /** A service that calls the engine itself. */
    ENGINE,
    /** A service in Tomcat, behind the servlet filter. */
    SERVLET,
    /** A gateway in front of a service that knows nothing of keys. */
    GATEWAY;

    public static Door named(String name) {
        return Arrays.stream(values())
                .filter(door -> door.toString().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no door " + name + "; there are " + Arrays.toString(values())));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
