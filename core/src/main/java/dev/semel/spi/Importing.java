package dev.semel.spi;

import java.time.Instant;
import java.util.concurrent.CompletionStage;

/** A store that can import a key from another store. */
public interface Importing {

    /**
     * Keeps a record of another store with its token, attempt, retention, outcome, steps and history, unless this
     * store already has the key: then nothing changes, and the answer is {@code false}. A key that is free here, and
     * only ever had smaller tokens, counts as absent. Repeated for the same record it is {@code true} again.
     *
     * <p>Times keep their distance from {@code asOf}, so that what is left of the retention there is left here. After
     * the record has expired, its tombstone and its audit window apply, as its retention says. Every token that this
     * store gives out for the key from then on is larger than the record's, also across expiry and purge.
     *
     * @param record of a key that is settled and has not expired, or that is unknown
     * @param asOf when the record was read, by the clock of the store that it comes from
     */
    CompletionStage<Boolean> importRecord(KeyRecord record, Instant asOf);

    /** Refuses a record that cannot be imported: a pending key belongs to an attempt that does not use this store. */
    static void requireImportable(KeyRecord record) {
        if (record.state() != KeyState.SUCCEEDED
                && record.state() != KeyState.FAILED
                && record.state() != KeyState.UNKNOWN) {
            throw new IllegalArgumentException("only settled and unknown keys can be imported, "
                    + record.key().digest() + " is " + record.state());
        }
    }
}
