package dev.semel;

/** The work that must happen once, inside a transaction that also carries the settle. */
@FunctionalInterface
public interface TransactionalOperation<C, T, E extends Exception> {

    T run(Attempt attempt, C transaction) throws E;
}
