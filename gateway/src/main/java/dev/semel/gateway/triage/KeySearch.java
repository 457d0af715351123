package dev.semel.gateway.triage;

import dev.semel.KeyDigest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Collects the matches of a query page by page, within a time limit, and sorts them by time: stores page in their own
 * order, and have no index on times.
 */
public final class KeySearch {

    /** How long a search on a page goes on before it says what it has. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    /** How long an export goes on. */
    public static final Duration EXPORT_PATIENCE = Duration.ofSeconds(30);

    /** The most keys of an export. */
    public static final int MOST_EXPORTED = 20_000;

    /** How many keys it asks for at a time. */
    public static final int PAGE = 500;

    private static final int DIGEST_DIGITS = 32;

    private final Inspecting store;
    private final int most;
    private final Duration patience;
    private final long startedAt = System.nanoTime();
    private final List<FoundKey> found = new ArrayList<>();

    private KeySearch(Inspecting store, int most, Duration patience) {
        this.store = store;
        this.most = most;
        this.patience = patience;
    }

    /**
     * The result of a search.
     *
     * @param keys the latest claim first
     * @param complete whether the whole store was searched; otherwise there were too many, or it took too long
     */
    public record Found(List<FoundKey> keys, boolean complete) {}

    /** The limit of the query is that of a page, and does not count here. */
    public static CompletionStage<Found> collect(
            Inspecting store, KeyQuery.Builder query, int most, Duration patience) {
        KeyQuery wanted = query.build();
        KeySearch search = new KeySearch(store, most, patience);
        String digest = wanted.digestPrefix();
        if (digest == null || digest.length() < DIGEST_DIGITS) {
            return search.from(wanted);
        }
        // A whole digest needs no search, whatever the size of the store; it may be a trace id all the same.
        return store.find(KeyDigest.parse(digest))
                .thenCompose(found -> found.filter(wanted::matches).isPresent()
                        ? CompletableFuture.completedFuture(
                                new Found(found.map(FoundKey::of).stream().toList(), true))
                        : search.from(wanted));
    }

    /** The query that {@link #collect} takes, to be restricted. */
    public static KeyQuery.Builder query() {
        return KeyQuery.builder(PAGE);
    }

    /** The state that people name. */
    public static KeyState state(String text) {
        try {
            return KeyState.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "state must be pending, lapsed, unknown, succeeded, failed or expired, got \"" + text + "\"", e);
        }
    }

    private CompletionStage<Found> from(KeyQuery query) {
        return store.page(query).thenCompose(page -> {
            for (KeyRecord each : page.records()) {
                found.add(FoundKey.of(each));
            }
            boolean over = found.size() >= most || System.nanoTime() - startedAt > patience.toNanos();
            return page.next() == null || over
                    ? CompletableFuture.completedFuture(result(page))
                    : from(query.after(page.next()));
        });
    }

    private Found result(KeyPage last) {
        found.sort(Comparator.comparing(FoundKey::claimedAt).reversed());
        boolean cut = found.size() > most;
        return new Found(List.copyOf(cut ? found.subList(0, most) : found), !cut && last.next() == null);
    }
}
