package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.KeyRecord;
import org.assertj.core.api.ObjectAssert;

/** The outcome that a key has in the store. */
final class KeyOutcome {

    private KeyOutcome() {}

    static ObjectAssert<Object> of(DynamoDbKeyStore store, Key key) {
        KeyRecord found = store.find(key.digest()).toCompletableFuture().join().orElseThrow();
        return assertThat((Object) found.outcome());
    }
}
