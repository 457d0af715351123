package dev.semel;

/** The work that must happen once. */
@FunctionalInterface
public interface Operation<T, E extends Exception> {

    T run(Attempt attempt) throws E;
}
