package dev.semel.testkit.life;

/** The same on an engine that only says whether a swap was done. */
class TaciturnCasStoreContractTest extends CasStoreContractTest {

    @Override
    protected boolean saysWhatItFound() {
        return false;
    }
}
