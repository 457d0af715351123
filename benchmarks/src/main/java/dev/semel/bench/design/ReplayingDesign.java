package dev.semel.bench.design;

/** A design that gives the stored outcome to those who ask again. */
interface ReplayingDesign extends Design {

    /** Asks for a key that is settled; fails unless the answer is its payload. */
    void replay(String key) throws Exception;
}
