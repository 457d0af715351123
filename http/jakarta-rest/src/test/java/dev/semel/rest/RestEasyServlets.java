package dev.semel.rest;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher;

/** Runs an application on RESTEasy. */
final class RestEasyServlets {

    private RestEasyServlets() {}

    /** Whether this JVM has it: no JVM has both. */
    static boolean areThere() {
        try {
            Class.forName("org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    static Servlet of(Application application) {
        RestEasyApplication.CURRENT.set(application);
        return new HttpServlet30Dispatcher();
    }
}
