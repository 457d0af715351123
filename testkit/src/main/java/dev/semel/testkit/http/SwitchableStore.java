package dev.semel.testkit.http;

import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;

/** A store that can be made to fail: altogether, or only when an outcome is to be stored. */
public final class SwitchableStore extends ForwardingKeyStore {

    private final FaultyStore faulty;
    private boolean down;
    private boolean settlesFail;

    /** Wraps a store, which must implement {@code Inspecting}. */
    public SwitchableStore(KeyStore store) {
        this(FaultyStore.around(store));
    }

    private SwitchableStore(FaultyStore faulty) {
        super(faulty.store());
        this.faulty = faulty;
    }

    public synchronized void down(boolean isDown) {
        down = isDown;
        order();
    }

    public synchronized void settlesFail(boolean fail) {
        settlesFail = fail;
        order();
    }

    /** How often a key was asked for. */
    public int claims() {
        return faulty.count(StoreCall.CLAIM);
    }

    private void order() {
        faulty.heal();
        for (StoreCall call : StoreCall.values()) {
            if (down || (settlesFail && call == StoreCall.SETTLE)) {
                faulty.every(call, Fault.FAILS_BEFORE);
            }
        }
    }
}
