package dev.semel.bench.design;

/** A design that can be asked by several callers for one key. */
public interface ContendedDesign {

    String name();

    /** Claims the key; {@code true} for the one caller who gets it. */
    boolean claim(String key) throws Exception;
}
