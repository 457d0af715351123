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
 * A store for the tests of your own service: put keys into it, and let it fail at a certain call.
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
 * <p>Give {@link #store} to the service, for example as a bean. Faults end with the test that ordered them; keys stay, so let
 * every test use keys of its own.
 */
public final class SemelExtension implements AfterEachCallback {

    /** What the fingerprints of all HTTP requests are for. */
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

    /** For a store of yours, such as one in a test database. It remains yours to close. */
    public static SemelExtension around(KeyStore store) {
        return new SemelExtension(store);
    }

    /** The store to give to the service. */
    public KeyStore store() {
        return faults.store();
    }

    /** The key of an HTTP request, in the default namespace, whose state is to be chosen. */
    public PlantedKey plant(String caller, String value) {
        return plant(Key.of(caller, value), HTTP);
    }

    /** The key of an operation: a method of a bean, a message, or what the engine is called for. */
    public PlantedKey plant(Key key, String operation) {
        return new PlantedKey(keys, key, operation);
    }

    /** The state of a key; empty if the store does not know it. */
    public Optional<KeyState> state(Key key) {
        return new StoreNode(keys).find(key).map(found -> found.state());
    }

    /** The next call of this kind fails and has no effect. */
    public void fail(StoreCall call) {
        faults.next(call, Fault.FAILS_BEFORE);
    }

    /** The next call of this kind takes effect, but fails for the service. */
    public void loseAnswer(StoreCall call) {
        faults.next(call, Fault.FAILS_AFTER);
    }

    /** The next call of this kind takes effect, and the service never hears of it. */
    public void hang(StoreCall call) {
        faults.next(call, Fault.NEVER_ANSWERS);
    }

    /** Everything else that can be done to the store, and how often it was called. */
    public FaultyStore faults() {
        return faults;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        faults.heal();
    }
}
