package dev.semel.testkit;

import dev.semel.spi.Batching;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.Erasing;
import dev.semel.spi.ForwardedCall;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Purging;
import dev.semel.spi.StepRecording;
import dev.semel.spi.TransactionJoining;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.contract.support.StoreNode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store around another one that fails on demand.
 *
 * <p>The {@link #store} has exactly the capabilities of the one it wraps. Each call uses up one fault or gate, in the
 * order in which you added them; after that, calls go through, or meet the fault for {@link #every} call.
 */
public final class FaultyStore {

    private static final List<Class<?>> CAPABILITIES = List.of(
            Batching.class,
            DecisionLog.class,
            Erasing.class,
            Importing.class,
            Inspecting.class,
            Purging.class,
            StepRecording.class,
            TransactionJoining.class);

    private final KeyStore delegate;
    private final KeyStore store;
    private final Map<StoreCall, Deque<Trouble>> next = new EnumMap<>(StoreCall.class);
    private final Map<StoreCall, Fault> every = new EnumMap<>(StoreCall.class);
    private final Map<StoreCall, Integer> calls = new EnumMap<>(StoreCall.class);
    private volatile @Nullable Watcher watcher;

    /** Watches the calls of a store. It may end the process. */
    public interface Watcher {

        /** The call is about to reach the store. */
        void sent(StoreCall call);

        /** The store has answered, but the caller does not have the answer yet. */
        void answered(StoreCall call);
    }

    private FaultyStore(KeyStore delegate) {
        this.delegate = delegate;
        Class<?>[] interfaces = Stream.concat(
                        Stream.of(KeyStore.class),
                        CAPABILITIES.stream()
                                .filter(each ->
                                        KeyStore.capability(delegate, each).isPresent()))
                .toArray(Class<?>[]::new);
        this.store = (KeyStore) Proxy.newProxyInstance(KeyStore.class.getClassLoader(), interfaces, new Handler());
    }

    public static FaultyStore around(KeyStore delegate) {
        return new FaultyStore(delegate);
    }

    /** The store for the code under test. */
    public KeyStore store() {
        return store;
    }

    /** Adds a fault for the next call that has none yet. */
    public synchronized void next(StoreCall call, Fault fault) {
        queue(call).add(new Trouble(fault, null, null));
    }

    /** Adds a fault for every call from now on, after the faults for single calls. */
    public synchronized void every(StoreCall call, Fault fault) {
        every.put(call, fault);
    }

    /** Holds the next call before it reaches the store. */
    public synchronized Gate hold(StoreCall call) {
        Gate gate = new Gate();
        queue(call).add(new Trouble(null, gate, null));
        return gate;
    }

    /** Holds the answer of the next call, which takes effect immediately. */
    public synchronized Gate holdAnswer(StoreCall call) {
        Gate gate = new Gate();
        queue(call).add(new Trouble(null, null, gate));
        return gate;
    }

    /** Adds a watcher for every call that reaches the store from now on. */
    public void watch(Watcher toTell) {
        this.watcher = toTell;
    }

    /** Removes all faults and gates that no call has met yet. */
    public synchronized void heal() {
        next.clear();
        every.clear();
    }

    /** How often the method was called, including calls with faults. */
    public synchronized int count(StoreCall call) {
        return calls.getOrDefault(call, 0);
    }

    private Deque<Trouble> queue(StoreCall call) {
        return next.computeIfAbsent(call, any -> new ArrayDeque<>());
    }

    private synchronized Trouble meet(StoreCall call) {
        calls.merge(call, 1, Integer::sum);
        Trouble trouble = queue(call).poll();
        return trouble != null ? trouble : new Trouble(every.get(call), null, null);
    }

    private static StoreUnavailableException failure(StoreCall call, Fault fault) {
        return new StoreUnavailableException("ordered by the test: " + call + " " + fault, null);
    }

    /** The fault or gate for one call, if there is one. */
    private record Trouble(
            @Nullable Fault fault,
            @Nullable Gate before,
            @Nullable Gate after) {

        /** The call, as the caller sees it. */
        CompletionStage<Object> disturb(StoreCall call, Supplier<CompletionStage<Object>> effect) {
            if (fault == Fault.FAILS_BEFORE) {
                return CompletableFuture.failedFuture(failure(call, fault));
            }
            if (fault == Fault.REFUSES) {
                return CompletableFuture.failedFuture(new StoreException("ordered by the test: " + call, null));
            }
            if (before != null) {
                // It is on its way to the store, and can no longer be withdrawn.
                return before.arrive().thenCompose(released -> effect.get());
            }
            CompletionStage<Object> answer = effect.get();
            if (fault == Fault.FAILS_AFTER) {
                return ForwardedCall.compose(answer, lost -> CompletableFuture.failedFuture(failure(call, fault)));
            }
            if (fault == Fault.NEVER_ANSWERS) {
                return ForwardedCall.of(answer);
            }
            return after == null
                    ? answer
                    : ForwardedCall.compose(answer, known -> after.arrive().thenApply(released -> known));
        }
    }

    private final class Handler implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments);
            }
            Optional<StoreCall> call = StoreCall.of(method);
            if (call.isEmpty()) {
                return pass(method, arguments);
            }
            Trouble trouble = meet(call.get());
            if (method.getReturnType() == CompletionStage.class) {
                return trouble.disturb(call.get(), () -> watched(call.get(), () -> start(method, arguments)));
            }
            return StoreNode.answer(trouble.disturb(
                    call.get(),
                    () -> watched(call.get(), () -> CompletableFuture.completedFuture(run(method, arguments)))));
        }

        private CompletionStage<Object> watched(StoreCall call, Supplier<CompletionStage<Object>> effect) {
            Watcher told = watcher;
            if (told == null) {
                return effect.get();
            }
            told.sent(call);
            return ForwardedCall.map(effect.get(), answer -> {
                told.answered(call);
                return answer;
            });
        }

        private @Nullable Object ofObject(Object proxy, Method method, Object @Nullable [] arguments) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "FaultyStore[" + delegate + "]";
            };
        }

        @SuppressWarnings("unchecked")
        private CompletionStage<Object> start(Method method, Object @Nullable [] arguments) {
            return (CompletionStage<Object>) run(method, arguments);
        }

        private Object run(Method method, Object @Nullable [] arguments) {
            try {
                return Objects.requireNonNull(pass(method, arguments));
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(method + " declares no checked exception", e);
            }
        }

        private @Nullable Object pass(Method method, Object @Nullable [] arguments) throws Throwable {
            try {
                Object target = KeyStore.capability(delegate, method.getDeclaringClass())
                        .orElseThrow();
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }
    }
}
