package dev.semel.spring;

import dev.semel.spi.KeyStore;
import dev.semel.store.StoreUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.util.ClassUtils;

/** A store that can be made to fail, altogether or when an outcome is to be stored; it can all that the real one can. */
public final class FlakyStore {

    public static volatile boolean settlesFail;
    public static volatile boolean down;

    private FlakyStore() {}

    public static KeyStore around(KeyStore store) {
        return (KeyStore) Proxy.newProxyInstance(
                FlakyStore.class.getClassLoader(), ClassUtils.getAllInterfaces(store), (proxy, method, arguments) -> {
                    boolean settles = method.getName().equals("settle") && method.getParameterCount() == 3;
                    boolean stored = CompletionStage.class.isAssignableFrom(method.getReturnType());
                    if ((stored && down) || (settles && settlesFail)) {
                        return CompletableFuture.failedStage(new StoreUnavailableException("pulled the plug", null));
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
