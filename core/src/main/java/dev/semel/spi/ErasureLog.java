package dev.semel.spi;

import java.util.concurrent.CompletionStage;

/** A store that keeps a log of erasures for good. */
public interface ErasureLog {

    CompletionStage<Void> noteErasure(Entry entry);

    /**
     * That the records of a scope were erased, without anything that was erased.
     *
     * @param scopeDigest SHA-256 of the scope, in hexadecimal digits
     * @param removed how many records are gone
     * @param left how many keys were left because they are not settled, or -1 if the erasure broke off
     * @param by who asked for it
     */
    record Entry(String scopeDigest, long removed, long left, String by) {}
}
