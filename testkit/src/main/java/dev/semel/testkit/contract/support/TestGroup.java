package dev.semel.testkit.contract.support;

/** A group of tests of a contract: one guarantee, or one capability. */
public interface TestGroup {

    Bench bench();

    default StoreNode node() {
        return bench().node();
    }
}
