package dev.semel.gateway.stats;

import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Purging;
import java.util.Optional;

/** A store that the engine cannot purge; whoever has the one below can. */
final class StoreWithoutPurge extends ForwardingKeyStore {

    StoreWithoutPurge(KeyStore store) {
        super(store);
    }

    @Override
    protected <T> Optional<T> capability(Class<T> type) {
        return type == Purging.class ? Optional.empty() : super.capability(type);
    }
}
