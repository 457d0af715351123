package dev.semel.sealing;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.spi.Claim;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.life.OutcomeBytes;
import dev.semel.store.CannotOpenException;
import dev.semel.util.Failures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Seals and opens the customer's data in a key's record. */
final class SealedRecords {

    private static final String OUTCOME = "outcome";

    private final Seal seal;

    SealedRecords(Seal seal) {
        this.seal = seal;
    }

    /** An outcome that contains the whole original one as its payload; only the result and the status stay visible. */
    Outcome seal(KeyDigest digest, Outcome outcome) {
        return Outcome.builder(outcome.result())
                .status(outcome.status())
                .payload(seal.seal(digest, OUTCOME, OutcomeBytes.encode(outcome)))
                .build();
    }

    /** A record that another store knows, as the store below is to keep it. */
    KeyRecord seal(KeyRecord found) {
        KeyDigest digest = found.key().digest();
        Outcome outcome = found.outcome();
        Map<String, byte[]> steps = new LinkedHashMap<>();
        found.steps().forEach((name, result) -> steps.put(name, sealStep(digest, name, result)));
        return withContent(found, outcome == null ? null : seal(digest, outcome), steps);
    }

    byte[] sealStep(KeyDigest digest, String name, byte[] result) {
        return seal.seal(digest, stepPurpose(name), result);
    }

    private static String stepPurpose(String name) {
        return "step " + name;
    }

    CompletableFuture<Claim> open(KeyDigest digest, Claim claim) {
        if (claim instanceof Claim.Settled settled) {
            return open(digest, settled.outcome()).thenApply(settled::withOutcome);
        }
        if (claim instanceof Claim.Acquired acquired && !acquired.steps().isEmpty()) {
            return open(digest, acquired.steps()).thenApply(steps -> new Claim.Acquired(acquired.lease(), steps));
        }
        return CompletableFuture.completedFuture(claim);
    }

    CompletableFuture<KeyRecord> open(KeyRecord found) {
        KeyDigest digest = found.key().digest();
        Outcome stored = found.outcome();
        // The audit window keeps no content that could be opened.
        CompletableFuture<@Nullable Outcome> outcome = stored == null || found.audited() != null
                ? CompletableFuture.completedFuture(stored)
                : open(digest, stored).thenApply(o -> o);
        return outcome.thenCombine(open(digest, found.steps()), (opened, steps) -> withContent(found, opened, steps));
    }

    private static KeyRecord withContent(KeyRecord found, @Nullable Outcome outcome, Map<String, byte[]> steps) {
        return found.toBuilder().outcome(outcome).steps(steps).build();
    }

    /**
     * Opens a record for a page. A record that cannot be opened is returned sealed, so that it does not hide the
     * others.
     */
    CompletableFuture<KeyPage> open(KeyPage page) {
        return all(page.records(), found -> open(found).exceptionally(failure -> found))
                .thenApply(opened -> new KeyPage(opened, page.next()));
    }

    private CompletableFuture<Outcome> open(KeyDigest digest, Outcome outcome) {
        byte[] payload = outcome.payload();
        if (!seal.applies(payload)) {
            return CompletableFuture.completedFuture(outcome);
        }
        return named(digest, seal.open(digest, OUTCOME, payload)).thenApply(OutcomeBytes::decode);
    }

    CompletableFuture<Map<String, byte[]>> open(KeyDigest digest, Map<String, byte[]> steps) {
        List<Map.Entry<String, byte[]>> sealed = List.copyOf(steps.entrySet());
        return all(sealed, step -> openStep(digest, step.getKey(), step.getValue()))
                .thenApply(results -> {
                    Map<String, byte[]> opened = new LinkedHashMap<>();
                    for (int i = 0; i < results.size(); i++) {
                        opened.put(sealed.get(i).getKey(), results.get(i));
                    }
                    return opened;
                });
    }

    private CompletableFuture<byte[]> openStep(KeyDigest digest, String name, byte[] result) {
        return seal.applies(result)
                ? named(digest, seal.open(digest, stepPurpose(name), result))
                : CompletableFuture.completedFuture(result);
    }

    private static <A, B> CompletableFuture<List<B>> all(List<A> items, Function<A, CompletableFuture<B>> open) {
        CompletableFuture<List<B>> opened = CompletableFuture.completedFuture(new ArrayList<>(items.size()));
        for (A item : items) {
            opened = opened.thenCombine(open.apply(item), (list, one) -> {
                list.add(one);
                return list;
            });
        }
        return opened;
    }

    /** Converts a failure to open into one of the store, which names the key. */
    private static CompletableFuture<byte[]> named(KeyDigest digest, CompletableFuture<byte[]> opening) {
        return opening.handle((bytes, failure) -> {
            if (failure == null) {
                return bytes;
            }
            Throwable cause = Failures.unwrap(failure);
            throw new CannotOpenException(digest, String.valueOf(cause.getMessage()), cause);
        });
    }
}
