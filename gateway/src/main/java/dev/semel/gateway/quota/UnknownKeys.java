package dev.semel.gateway.quota;

import dev.semel.Namespace;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyState;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many keys of each caller are unknown: as the store said when it was last walked through, and what has come since.
 * The walk goes on by a few pages at a time, because some stores find such keys only by looking at all of them.
 */
final class UnknownKeys {

    private static final Logger log = LoggerFactory.getLogger(UnknownKeys.class);
    private static final int PAGES_AT_A_TIME = 4;

    /** The most callers with new unknown keys that are remembered until the store has been walked through. */
    private static final int MOST_NEW = 10_000;

    /** Operations are named by configurations; this is for a store that many share. */
    private static final int MOST_OPERATIONS = 1_000;

    private Map<String, Long> stored = Map.of();
    private Map<String, Long> beforeWalk = Map.of();
    private Map<String, Long> since = new HashMap<>();
    private Map<String, Long> found = new HashMap<>();

    /** By operation. */
    private Map<String, Long> storedOf = Map.of();

    private Map<String, Long> foundOf = new HashMap<>();
    private @Nullable String cursor;
    private boolean asking;

    /** Counts a key that has become unknown. */
    synchronized void add(String caller) {
        if (since.size() < MOST_NEW || since.containsKey(caller)) {
            since.merge(caller, 1L, Long::sum);
        }
    }

    synchronized long of(String caller) {
        return stored.getOrDefault(caller, 0L) + beforeWalk.getOrDefault(caller, 0L) + since.getOrDefault(caller, 0L);
    }

    /** How many keys of an operation there were at the last look. */
    synchronized long ofOperation(String operation) {
        return storedOf.getOrDefault(operation, 0L);
    }

    /** Takes the store's word that it has no unknown key; what was counted last may be newer than that. */
    synchronized void noneStored() {
        if (!asking) {
            begin();
            stored = Map.of();
            storedOf = Map.of();
        }
    }

    private void begin() {
        cursor = null;
        found = new HashMap<>();
        foundOf = new HashMap<>();
        beforeWalk = since;
        since = new HashMap<>();
    }

    /** Goes on with the walk; the stage never fails. */
    CompletionStage<Void> walk(Inspecting store, Namespace namespace) {
        KeyQuery query;
        synchronized (this) {
            if (asking) {
                return CompletableFuture.completedStage(null);
            }
            asking = true;
            if (cursor == null) {
                begin();
            }
            query = KeyQuery.inState(KeyState.UNKNOWN, KeyQuery.MAX_LIMIT).after(cursor);
        }
        return pages(store, namespace, query, PAGES_AT_A_TIME).handle((next, failure) -> {
            if (failure != null) {
                log.debug("the store does not tell which keys are unknown", failure);
            }
            stopped(next, failure != null);
            return null;
        });
    }

    /** Reads some pages, and says where to go on; {@code null} at the end. */
    private CompletionStage<@Nullable String> pages(Inspecting store, Namespace namespace, KeyQuery query, int pages) {
        return store.page(query).thenCompose(page -> {
            synchronized (this) {
                page.records().stream()
                        .filter(each -> each.key().namespace().equals(namespace))
                        .forEach(each -> {
                            found.merge(each.key().scope(), 1L, Long::sum);
                            if (foundOf.size() < MOST_OPERATIONS || foundOf.containsKey(each.operation())) {
                                foundOf.merge(each.operation(), 1L, Long::sum);
                            }
                        });
            }
            return page.next() == null || pages == 1
                    ? CompletableFuture.completedStage(page.next())
                    : pages(store, namespace, query.after(page.next()), pages - 1);
        });
    }

    private synchronized void stopped(@Nullable String next, boolean failed) {
        asking = false;
        cursor = next;
        if (failed) {
            beforeWalk.forEach((caller, keys) -> since.merge(caller, keys, Long::sum));
        } else if (next == null) {
            stored = found;
            storedOf = foundOf;
        } else {
            return;
        }
        beforeWalk = Map.of();
    }
}
