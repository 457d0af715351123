package dev.semel.webflux;

import dev.semel.spi.Claim;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A store whose claims wait until the test lets them go. */
final class HeldClaims {

    final AtomicInteger asked = new AtomicInteger();
    volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

    private final KeyStore store;

    HeldClaims(KeyStore store) {
        this.store = store;
    }

    KeyStore store() {
        return (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(),
                new Class<?>[] {KeyStore.class, Inspecting.class},
                (proxy, method, arguments) -> {
                    try {
                        if (!method.getName().equals("claim")) {
                            return method.invoke(store, arguments);
                        }
                        CompletableFuture<Void> opened = gate;
                        asked.incrementAndGet();
                        @SuppressWarnings("unchecked")
                        CompletionStage<Claim> claim = (CompletionStage<Claim>) method.invoke(store, arguments);
                        return opened.thenCompose(open -> claim);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
