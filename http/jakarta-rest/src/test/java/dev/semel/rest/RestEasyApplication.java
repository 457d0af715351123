package dev.semel.rest;

import jakarta.ws.rs.core.Application;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** RESTEasy makes its application by the name of a class: this one, which passes on what a test has made. */
public final class RestEasyApplication extends Application {

    static final AtomicReference<Application> CURRENT = new AtomicReference<>();

    @Override
    @SuppressWarnings("deprecation")
    public Set<Object> getSingletons() {
        return CURRENT.get().getSingletons();
    }
}
