package dev.semel.testkit;

/** A group of tests of a contract: one guarantee, or one capability. */
interface Group {

    Bench bench();

    default Node node() {
        return bench().node();
    }
}
