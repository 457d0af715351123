package dev.semel.etcd;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SealedForTests;

/** The contract on etcd, with everything sealed. */
class SealedEtcdContractTest extends EtcdStoreContractTest {

    @Override
    protected KeyStore openStore() {
        return SealedForTests.around(super.openStore());
    }
}
