package dev.semel.changeover;

import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import java.util.concurrent.Executor;

/**
 * A store that shares its keys with a table that code without Semel uses, so that nodes with and without Semel can run side by
 * side: of all attempts to run an operation, one runs it, and the others get its answer.
 */
public final class Changeover {

    private Changeover() {}

    /**
     * Shares the keys of a store.
     *
     * <p>Operations that settle inside a transaction are refused: the table would not learn of their outcome.
     *
     * @param store a store that implements {@link Inspecting}, as every store that comes with Semel does
     * @param executor runs the calls of the table, which may block
     */
    public static KeyStore around(KeyStore store, LegacyKeys legacy, Executor executor) {
        if (KeyStore.capability(store, Inspecting.class).isEmpty()) {
            throw new IllegalArgumentException(store + " does not implement Inspecting, which a change-over needs");
        }
        return new SharedKeyStore(store, legacy, executor);
    }
}
