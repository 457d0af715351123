package dev.semel.engine.histories;

import dev.semel.KeyDigest;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.QueuedCall;
import dev.semel.spi.Renewal;
import dev.semel.store.StoreUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A store whose nodes all meet the same faults: locked rows, commits that stall, a server that freezes. */
final class ShakyStore {

    private final InMemoryKeyStore memory;
    private final EngineFlaw flaw;
    private final KeyStore store;
    private final Map<KeyDigest, Boolean> held = new HashMap<>();
    private final Map<KeyDigest, ClaimRequest> stalled = new HashMap<>();
    private final List<Queued> queue = new ArrayList<>();
    private final List<Supplier<CompletionStage<Object>>> late = new ArrayList<>();
    private final Set<String> toldInFlight = ConcurrentHashMap.newKeySet();
    private boolean frozen;
    private boolean stallsNext;

    ShakyStore(InMemoryKeyStore memory, EngineFlaw flaw) {
        this.memory = memory;
        this.flaw = flaw;
        this.store = (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(), memory.getClass().getInterfaces(), this::invoke);
    }

    KeyStore store() {
        return store;
    }

    /** From now on calls for this key wait, or its claims get the answer that it is in flight. */
    synchronized void hold(KeyDigest digest, boolean told) {
        held.put(digest, told);
    }

    void free(KeyDigest digest) {
        synchronized (this) {
            held.remove(digest);
        }
        goOn(queued -> digest.equals(queued.waitsFor));
    }

    /** From now on the server answers no calls. */
    synchronized void freeze() {
        frozen = true;
    }

    void thaw() {
        synchronized (this) {
            frozen = false;
        }
        goOn(queued -> queued.waitsFor == null);
    }

    /** The next claim of a free key takes effect only with {@link #endStalls}, and gets no answer until then. */
    synchronized void stallNextClaim() {
        stallsNext = true;
    }

    synchronized void endStalls() {
        stallsNext = false;
        stalled.values()
                .forEach(request -> memory.claim(request).toCompletableFuture().join());
        stalled.clear();
    }

    /** What was given up and still takes effect, in a store that does not care. */
    synchronized void runLate() {
        late.forEach(claim -> claim.get().toCompletableFuture().join());
        late.clear();
    }

    private Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getReturnType() != CompletionStage.class) {
            return pass(method, arguments);
        }
        CompletionStage<Object> answer = call(method, arguments);
        if (method.getName().equals("claim")) {
            String traceId = ((ClaimRequest) arguments[0]).traceId();
            answer.thenAccept(claim -> {
                if (claim instanceof Claim.InFlight && traceId != null) {
                    toldInFlight.add(traceId);
                }
            });
        }
        return answer;
    }

    /** Whether a claim with this trace id got the answer that another one is in flight. */
    boolean wasToldInFlight(String traceId) {
        return toldInFlight.contains(traceId);
    }

    private synchronized CompletionStage<Object> call(Method method, Object[] arguments) {
        Supplier<CompletionStage<Object>> again = () -> call(method, arguments);
        boolean claims = method.getName().equals("claim");
        if (frozen) {
            return enqueue(null, claims, again, () -> passStage(method, arguments));
        }
        if (method.getName().equals("renew")) {
            return renew(arguments, again);
        }
        KeyDigest digest = digest(arguments);
        if (claims && stalled.containsKey(digest)) {
            return CompletableFuture.completedFuture(stalledClaim((ClaimRequest) arguments[0]));
        }
        if (held.containsKey(digest)) {
            return claims && held.get(digest)
                    ? CompletableFuture.completedFuture(new Claim.InFlight(Duration.ZERO, Duration.ZERO))
                    : enqueue(digest, claims, again, () -> passStage(method, arguments));
        }
        if (claims && stallsNext && isFree(digest)) {
            stallsNext = false;
            stalled.put(digest, (ClaimRequest) arguments[0]);
            return new CompletableFuture<>();
        }
        if (claims && flaw == EngineFlaw.DECISIONS_FORGET_THE_RETENTION) {
            return passStage(method, forgetful((ClaimRequest) arguments[0]));
        }
        return passStage(method, arguments);
    }

    private Claim stalledClaim(ClaimRequest request) {
        boolean own = request.nonce().equals(stalled.get(request.key().digest()).nonce());
        return own && flaw == EngineFlaw.A_STALLED_CLAIM_LOOKS_LIKE_ANOTHERS
                ? new Claim.InFlight(Duration.ofMillis(10), request.lease())
                : new Claim.InFlight(Duration.ZERO, Duration.ZERO);
    }

    /** Extends leases whose rows are not locked. If a row is locked, the call fails. */
    @SuppressWarnings("unchecked")
    private CompletionStage<Object> renew(Object[] arguments, Supplier<CompletionStage<Object>> again) {
        Collection<Renewal> renewals = (Collection<Renewal>) arguments[0];
        List<Renewal> unheld = renewals.stream()
                .filter(renewal -> !held.containsKey(renewal.lease().digest()))
                .toList();
        if (unheld.size() < renewals.size() && flaw == EngineFlaw.RENEWALS_WAIT_FOR_A_HELD_ROW) {
            KeyDigest first = renewals.stream()
                    .map(renewal -> renewal.lease().digest())
                    .filter(held::containsKey)
                    .findFirst()
                    .orElseThrow();
            return enqueue(first, false, again, again);
        }
        CompletionStage<Set<Lease>> renewed = memory.renew(unheld);
        return renewed.thenCompose(leases -> unheld.size() == renewals.size()
                ? CompletableFuture.completedStage(leases)
                : CompletableFuture.failedStage(new StoreUnavailableException("a row is held", null)));
    }

    private CompletionStage<Object> enqueue(
            KeyDigest waitsFor,
            boolean claims,
            Supplier<CompletionStage<Object>> again,
            Supplier<CompletionStage<Object>> blindly) {
        boolean ignored = claims && flaw == EngineFlaw.CANCELLED_CLAIMS_TAKE_EFFECT;
        CompletableFuture<Object> call = ignored ? new CompletableFuture<>() : new QueuedCall<>();
        queue.add(new Queued(waitsFor, call, again, blindly));
        return call;
    }

    private void goOn(Predicate<Queued> which) {
        List<Queued> ready;
        synchronized (this) {
            ready = queue.stream().filter(which).toList();
            queue.removeAll(ready);
        }
        for (Queued queued : ready) {
            boolean waitedFor = queued.call instanceof QueuedCall<Object> call ? call.send() : !queued.call.isDone();
            if (waitedFor) {
                queued.again.get().whenComplete((answer, failure) -> {
                    if (failure == null) {
                        queued.call.complete(answer);
                    } else {
                        queued.call.completeExceptionally(failure);
                    }
                });
            } else if (!(queued.call instanceof QueuedCall)) {
                synchronized (this) {
                    late.add(queued.blindly);
                }
            }
        }
    }

    private boolean isFree(KeyDigest digest) {
        return memory.find(digest).toCompletableFuture().join().isEmpty();
    }

    private static KeyDigest digest(Object[] arguments) {
        Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
        if (first instanceof ClaimRequest request) {
            return request.key().digest();
        }
        return first instanceof Lease lease ? lease.digest() : first instanceof KeyDigest digest ? digest : null;
    }

    private static ClaimRequest forgetful(ClaimRequest request) {
        return request.toBuilder().retention(Retention.DEFAULT).build();
    }

    @SuppressWarnings("unchecked")
    private CompletionStage<Object> passStage(Method method, Object... arguments) {
        try {
            return (CompletionStage<Object>) pass(method, arguments);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Object pass(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(memory, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** A call that waits for a row, or for the server if {@code waitsFor} is null. */
    private record Queued(
            KeyDigest waitsFor,
            CompletableFuture<Object> call,
            Supplier<CompletionStage<Object>> again,
            Supplier<CompletionStage<Object>> blindly) {}
}
