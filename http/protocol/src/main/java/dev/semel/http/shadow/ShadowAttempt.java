package dev.semel.http.shadow;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Key;
import dev.semel.Namespace;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The attempt of a handler that runs in shadow mode. Its key is a new one for each request, and so are the child keys that
 * it gives to downstream calls: they happen again with each try, as they would without Semel.
 */
record ShadowAttempt(Key key) implements Attempt {

    static ShadowAttempt in(Namespace namespace) {
        return new ShadowAttempt(
                namespace.key(ShadowKeys.OWN_SCOPE, UUID.randomUUID().toString()));
    }

    @Override
    public long token() {
        return 0;
    }

    @Override
    public int number() {
        return 1;
    }

    @Override
    public boolean isLeaseLost() {
        return false;
    }

    @Override
    public <R> R step(String name, Codec<R> codec, Callable<R> work) throws Exception {
        return work.call();
    }

    @Override
    public <R> CompletionStage<R> stepAsync(String name, Codec<R> codec, Supplier<CompletionStage<R>> work) {
        return work.get();
    }
}
