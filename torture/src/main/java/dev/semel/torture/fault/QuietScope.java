package dev.semel.torture.fault;

/** A scope in which nothing happens while its keys are erased. */
public interface QuietScope {

    /**
     * Erases the scope, if what was sent in it ends soon.
     *
     * @param erasure gets the name of the scope, and returns whether all keys are gone that were settled
     * @return whether they are
     */
    boolean erase(Erasing erasure) throws Exception;

    /** Erases all keys of a scope. */
    @FunctionalInterface
    interface Erasing {
        boolean erase(String scope) throws Exception;
    }
}
