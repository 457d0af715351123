package dev.semel.gateway.identity;

import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Identifies callers, with keys that can change while the gateway runs. */
public record ReplaceableIdentity(Supplier<CallerIdentity> current) implements CallerIdentity {

    @Override
    public @Nullable String scopeOf(HttpServerRequest request) {
        return current.get().scopeOf(request);
    }

    @Override
    public @Nullable CompletionStage<?> preparation(HttpServerRequest request) {
        return current.get().preparation(request);
    }
}
