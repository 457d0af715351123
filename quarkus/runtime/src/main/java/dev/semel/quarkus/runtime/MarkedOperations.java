package dev.semel.quarkus.runtime;

import jakarta.inject.Singleton;
import java.util.Set;

/** The names of all operations of the application, which the build has found. */
@Singleton
public class MarkedOperations {

    private volatile Set<String> operations = Set.of();

    Set<String> operations() {
        return operations;
    }

    void found(Set<String> names) {
        operations = Set.copyOf(names);
    }
}
