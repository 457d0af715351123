package dev.semel.sealing;

import dev.semel.spi.KeyStore;
import org.jspecify.annotations.Nullable;

/**
 * Compresses and encrypts outcomes and the results of steps before a store gets them, and opens them on the way back.
 * Keys, scopes, operation names, states, times and the status of a response stay as they are, so that people can search
 * for them.
 *
 * <p>What was stored before sealing was switched on is still read, and so is what was sealed otherwise than now. What
 * cannot be opened is a failure of the store and never runs the operation again; only in a page of records it is left
 * sealed, so that the others can be seen.
 */
public final class Sealing {

    private final boolean compresses;
    private final @Nullable MasterKeys masterKeys;

    private Sealing(boolean compresses, @Nullable MasterKeys masterKeys) {
        this.compresses = compresses;
        this.masterKeys = masterKeys;
    }

    /** Compresses what gets smaller by it. */
    public static Sealing compressing() {
        return new Sealing(true, null);
    }

    /** Encrypts with AES-256-GCM under data keys that these master keys protect. */
    public static Sealing encrypting(MasterKeys masterKeys) {
        return new Sealing(false, masterKeys);
    }

    /** Compresses first, and encrypts the rest. How much smaller an outcome got tells something of its content. */
    public static Sealing compressingAndEncrypting(MasterKeys masterKeys) {
        return new Sealing(true, masterKeys);
    }

    /**
     * A store with the same capabilities, whose outcomes and steps are sealed in this one. Closing it closes this one.
     */
    public KeyStore around(KeyStore store) {
        return SealedStore.around(store, new Seal(compresses, masterKeys == null ? null : new DataKeys(masterKeys)));
    }
}
