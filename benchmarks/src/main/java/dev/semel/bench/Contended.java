package dev.semel.bench;

/** A design that can be asked by several callers for one key. */
interface Contended extends Design {

    /** Claims the key; {@code true} for the one caller who gets it. */
    boolean claim(String key) throws Exception;
}
