package dev.semel.rest;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;

/** Runs an application on Jersey. */
final class JerseyServlets {

    private JerseyServlets() {}

    /** Whether this JVM has it: no JVM has both. */
    static boolean areThere() {
        try {
            Class.forName("org.glassfish.jersey.servlet.ServletContainer");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    static Servlet of(Application application) {
        return new ServletContainer(ResourceConfig.forApplication(application)
                // Nothing here implements the binding to XML that it would look for.
                .property(ServerProperties.WADL_FEATURE_DISABLE, true)
                .property(ServerProperties.LOCATION_HEADER_RELATIVE_URI_RESOLUTION_DISABLED, true));
    }
}
