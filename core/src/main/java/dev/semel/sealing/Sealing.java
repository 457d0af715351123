package dev.semel.sealing;

import dev.semel.spi.KeyStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Compresses and encrypts outcomes and the results of steps before a store gets them, and opens them on the way back.
 * Keys, scopes, operation names, states, times and the status of a response stay as they are, so that people can search
 * for them.
 *
 * <p>Data from before sealing was switched on, or sealed with other settings, can still be read, unless it is {@link
 * #strict}. Data that cannot be opened is a failure of the store and never runs the operation again. A page of records
 * shows it sealed, so that the others stay visible.
 */
public final class Sealing {

    static final Duration OPEN_WITHIN = Duration.ofSeconds(1);

    private final boolean compresses;
    private final @Nullable MasterKeys masterKeys;
    private final Duration openWithin;
    private final boolean strict;

    private Sealing(boolean compresses, @Nullable MasterKeys masterKeys, Duration openWithin, boolean strict) {
        this.compresses = compresses;
        this.masterKeys = masterKeys;
        this.openWithin = openWithin;
        this.strict = strict;
    }

    /** Compresses data if that makes it smaller. */
    public static Sealing compressing() {
        return new Sealing(true, null, OPEN_WITHIN, false);
    }

    /** Encrypts with AES-256-GCM under data keys that these master keys protect. */
    public static Sealing encrypting(MasterKeys masterKeys) {
        return new Sealing(false, masterKeys, OPEN_WITHIN, false);
    }

    /** Compresses first, then encrypts. The compressed size of an outcome reveals something about its content. */
    public static Sealing compressingAndEncrypting(MasterKeys masterKeys) {
        return new Sealing(true, masterKeys, OPEN_WITHIN, false);
    }

    /**
     * How long a claim may take, from the request to the opened result; 1 second by default. It must be shorter than
     * the engine's patience for claims. A claim that would take longer fails with a {@link
     * dev.semel.store.CannotOpenException}; the data key is still fetched, for the next one.
     */
    public Sealing openWithin(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("the time for opening must be positive, got " + limit);
        }
        return new Sealing(compresses, masterKeys, limit, strict);
    }

    /**
     * Refuses unencrypted data: an outcome or a step that was written into the store without the keys is a {@link
     * dev.semel.store.CannotOpenException}, is not replayed, and does not run the operation again. Switch it on when
     * everything that was stored before sealing has expired.
     */
    public Sealing strict() {
        if (masterKeys == null) {
            throw new IllegalStateException("only encrypted data can be distinguished from what an attacker stored: use"
                    + " encrypting or compressingAndEncrypting");
        }
        return new Sealing(compresses, masterKeys, openWithin, true);
    }

    /**
     * A store with the same capabilities, whose outcomes and steps are sealed in this one. Closing it closes this one.
     */
    public KeyStore around(KeyStore store) {
        return SealedStore.around(
                store, new Seal(compresses, masterKeys == null ? null : new DataKeys(masterKeys), strict), openWithin);
    }
}
