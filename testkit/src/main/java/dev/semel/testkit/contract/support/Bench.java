package dev.semel.testkit.contract.support;

import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.spi.KeyStore;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one contract test: the store's nodes, fresh keys, and time.
 *
 * <p>A test on a real database really waits, on a machine that may be busy. So what must be live during a test has a
 * {@link TestGroup#LIVE} duration, only what must run out has a {@link TestGroup#SHORT} one, and nothing relies on being quick.
 */
public final class Bench {

    /** Stores may keep times with a precision of milliseconds. */
    private static final Duration MARGIN = Duration.ofMillis(50);

    private final ContractSupport contract;
    private final Set<KeyStore> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final String scope = "tenant-" + UUID.randomUUID();
    private @Nullable StoreNode first;
    private int keys;

    Bench(ContractSupport contract) {
        this.contract = contract;
    }

    /** The node that a test uses when one is enough. */
    public StoreNode node() {
        StoreNode node = first;
        if (node == null) {
            node = newNode();
            first = node;
        }
        return node;
    }

    public StoreNode newNode() {
        KeyStore store = contract.openStore();
        open.add(store);
        return new StoreNode(store);
    }

    public List<StoreNode> nodes(int count) {
        return IntStream.range(0, count).mapToObj(i -> newNode()).toList();
    }

    /** Closes a node before its test ends. */
    public void close(StoreNode node) {
        open.remove(node.store());
        node.store().close();
    }

    /** The scope of this test's keys. */
    public String scope() {
        return scope;
    }

    /** The key that a test uses when one is enough. */
    public Key key() {
        return key("key");
    }

    public Key newKey() {
        return key("key-" + keys++);
    }

    public List<Key> newKeys(int count) {
        return IntStream.range(0, count).mapToObj(i -> newKey()).toList();
    }

    public Key key(String value) {
        return new Key(Namespace.DEFAULT, scope, value);
    }

    /** Lets everything that lasts for {@link TestGroup#SHORT} run out. */
    public void pass() {
        advance(TestGroup.SHORT.plus(MARGIN));
    }

    public void advance(Duration duration) {
        contract.advance(duration);
    }

    void closeAll() {
        open.forEach(KeyStore::close);
        open.clear();
    }
}
