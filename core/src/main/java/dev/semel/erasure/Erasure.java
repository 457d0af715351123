package dev.semel.erasure;

import dev.semel.spi.DecisionLog;
import dev.semel.spi.Decisions;
import dev.semel.spi.Erasing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.util.CallerThread;
import dev.semel.util.LengthPrefixedDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Removes all records of a scope, for example when a person asks for their data to be erased.
 *
 * <p>Keys that are pending, lapsed or unknown are left: an operation is running, or may have run. Erase the scope
 * again when
 * they are settled. A request that is retried after its key was erased runs again.
 */
public final class Erasure {

    private static final int PAGE = 100;
    private static final long BROKEN_OFF = -1;

    private static final int MOST_ROUNDS = 10;

    /** A record that moves while pages are turned may be missed, but is found the next time. */
    private static final int ROUNDS_WITHOUT_A_FIND = 2;

    private final Inspecting inspecting;
    private final Erasing erasing;
    private final KeyStore store;
    private final String scope;
    private long removed;

    private Erasure(KeyStore store, String scope) {
        this.inspecting = require(store, Inspecting.class);
        this.erasing = require(store, Erasing.class);
        this.store = store;
        this.scope = scope;
    }

    /**
     * What happened to the records of a scope.
     *
     * @param removed how many are gone
     * @param left how many are pending, lapsed or unknown, and were left
     */
    public record Erased(long removed, long left) {

        /** Both together. */
        public Erased and(Erased other) {
            return new Erased(removed + other.removed, left + other.left);
        }
    }

    /**
     * Erases a scope, in all namespaces, and writes a line to the log {@code dev.semel.audit} that names the scope only
     * by its SHA-256; a store with a {@link DecisionLog} keeps the same there. Returns when this is done; it has to
     * read all keys of the store.
     *
     * @param store a store with {@code Inspecting} and {@code Erasing}
     * @param by who erases it
     * @param reason why, for the log
     */
    public static Erased ofScope(KeyStore store, String scope, DecisionLog.Person by, String reason) {
        Erasure erasure = new Erasure(store, scope);
        Erased erased;
        try {
            erased = erasure.rounds();
        } catch (RuntimeException e) {
            try {
                erasure.tell(BROKEN_OFF, by, reason);
            } catch (RuntimeException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
        erasure.tell(erased.left, by, reason);
        return erased;
    }

    private static <T> T require(KeyStore store, Class<T> capability) {
        return KeyStore.capability(store, capability)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the store " + store.getClass().getName() + " does not implement " + capability.getSimpleName()
                                + ", so its records cannot be erased before they expire"));
    }

    private void tell(long left, DecisionLog.Person by, String reason) {
        String after = removed + " records removed, " + (left == BROKEN_OFF ? "then it failed" : left + " keys left");
        CallerThread.await(Decisions.note(
                store,
                DecisionLog.Entry.builder("erase", subject(scope), by)
                        .change("", after)
                        .reason(reason)
                        .build()));
    }

    /** How the {@link DecisionLog} names a scope. */
    public static String subject(String scope) {
        return "sha256:" + LengthPrefixedDigest.hexSha256(scope);
    }

    private Erased rounds() {
        long left = 0;
        int withoutAFind = 0;
        for (int round = 0; round < MOST_ROUNDS && withoutAFind < ROUNDS_WITHOUT_A_FIND; round++) {
            long before = removed;
            left = round();
            withoutAFind = removed > before ? 0 : withoutAFind + 1;
        }
        return new Erased(removed, left);
    }

    /** Erases what is found, and returns how many keys are not settled. */
    private long round() {
        long left = 0;
        KeyQuery query = KeyQuery.builder(PAGE).scope(scope).build();
        while (true) {
            KeyPage page = CallerThread.await(inspecting.page(query));
            List<CompletionStage<Boolean>> erasures = new ArrayList<>();
            for (KeyRecord each : page.records()) {
                erasures.add(erasing.erase(each.key().digest(), each.token()));
                left += isSettled(each) ? 0 : 1;
            }
            for (CompletionStage<Boolean> erasure : erasures) {
                removed += CallerThread.await(erasure) ? 1 : 0;
            }
            String next = page.next();
            if (next == null) {
                return left;
            }
            query = query.after(next);
        }
    }

    private static boolean isSettled(KeyRecord each) {
        return each.state() == KeyState.SUCCEEDED
                || each.state() == KeyState.FAILED
                || each.state() == KeyState.EXPIRED;
    }
}
