package dev.semel.testkit;

import dev.semel.Key;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.contract.support.StoreNode;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A store for the tests of your own service: plant keys in it, and let it fail at a certain call.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final SemelExtension semel = SemelExtension.inMemory();
 *
 * @Test
 * void aPaymentWhoseServerDiedIsHeld() {
 *     semel.plant("alice", "order-1").lapsed();
 *     assertThat(pay("alice", "order-1").statusCode()).isEqualTo(409);
 * }
 * }</pre>
 *
 * <p>Give {@link #store} to the service, for example as a bean. Faults end with the test that added them; keys stay, so
 * use different keys in every test.
 */
public final class SemelExtension implements AfterEachCallback {

    /** The operation of all HTTP fingerprints. */
    private static final String HTTP = "http";

    private final KeyStore keys;
    private final FaultyStore faults;

    private SemelExtension(KeyStore keys) {
        this.keys = keys;
        this.faults = FaultyStore.around(keys);
    }

    public static SemelExtension inMemory() {
        return around(InMemoryKeyStore.create());
    }

    /** Uses your own store, such as one in a test database. You must close it. */
    public static SemelExtension around(KeyStore store) {
        return new SemelExtension(store);
    }

    /** The store to give to the service. */
    public KeyStore store() {
        return faults.store();
    }

    /** Chooses the key of an HTTP request, in the default namespace, to plant a state. */
    public PlantedKey plant(String caller, String value) {
        return plant(Key.of(caller, value), HTTP);
    }

    /**
     * Chooses the key of another operation, to plant a state: a method of a bean, a message, or a call of the engine.
     */
    public PlantedKey plant(Key key, String operation) {
        return new PlantedKey(keys, key, operation);
    }

    /** The state of a key; empty if it does not exist. */
    public Optional<KeyState> state(Key key) {
        return new StoreNode(keys).find(key).map(found -> found.state());
    }

    /** Lets the next call of this kind fail without an effect. */
    public void fail(StoreCall call) {
        faults.next(call, Fault.FAILS_BEFORE);
    }

    /** Lets the next call of this kind take effect, but fail for the service. */
    public void loseAnswer(StoreCall call) {
        faults.next(call, Fault.FAILS_AFTER);
    }

    /** Lets the next call of this kind take effect, but never answer. */
    public void hang(StoreCall call) {
        faults.next(call, Fault.NEVER_ANSWERS);
    }

    /** The faulty store itself, with all other faults and the numbers of calls. */
    public FaultyStore faults() {
        return faults;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        faults.heal();
    }
}
