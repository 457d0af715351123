package dev.semel.testkit.life;

import dev.semel.KeyDigest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.KeyLifeStore;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The state machine in Java with a map of keys, and nothing else. */
class StateMachineStore extends KeyLifeStore {

    private final Map<KeyDigest, StoredKey> keys = new HashMap<>();
    private final InstantSource clock;
    private long lastToken;

    StateMachineStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    protected <A> CompletionStage<A> change(KeyDigest digest, Transition<A> call) {
        Change<A> change = call.on(keys.get(digest), moment(), () -> ++lastToken);
        StoredKey next = change.next();
        if (next == null) {
            keys.remove(digest);
        } else {
            keys.put(digest, next);
        }
        return CompletableFuture.completedFuture(change.answer());
    }

    CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        @Nullable StoredKey key = keys.get(digest);
        return CompletableFuture.completedFuture(Optional.ofNullable(key).map(found -> found.toRecord(moment())));
    }

    private Moment moment() {
        return Moment.of(clock.instant());
    }

    @Override
    public void close() {}
}
