package dev.semel.spi.life;

import dev.semel.KeyDigest;
import dev.semel.spi.CallsUnderWay;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Micros;
import dev.semel.util.RecentlyUsed;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store on an engine with compare-and-swap: the engine reads a cell, and replaces it if its version has not changed.
 * This class does everything else.
 *
 * <p>A claim of a new key is one swap, and so is a settle, because the store remembers the cells of its own claims. If
 * a call finds an unexpected version, it is decided again on the current value, a limited number of times.
 *
 * <p>Tokens are microseconds of the clock, or one more than the last token of the cell if that is larger. A key that is released
 * or erased leaves a cell with its token, which the engine may remove after an hour and twice the skew: by then every clock shows more than that token. The same holds for a cell that is removed when its retention has passed.
 */
public abstract class CasKeyStore extends KeyLifeStore {

    private static final int MAX_TRIES = 50;
    private static final int TRIES_WITHOUT_PAUSE = 3;
    private static final int LONGEST_PAUSE_MILLIS = 50;

    /** How often a swap is sent while others write to the same cell; the longest pause doubles each time. */
    private static final int MAX_SENDS = 16;

    private static final int FIRST_PAUSE_AFTER_CONTENTION_MILLIS = 20;
    private static final int MOST_DOUBLINGS = 5;

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    /** Extra time for clocks that differ by more than the skew allows. */
    private static final Duration GRACE = Duration.ofHours(1);

    private final Map<KeyDigest, Cell> own = RecentlyUsed.upTo(10_000);

    private final Function<Throwable, StoreException> failures;

    private final CallsUnderWay underWay;

    /**
     * @param name the name of the store in messages
     * @param failures converts the failures of the engine's driver to those of a store
     */
    protected CasKeyStore(String name, Function<Throwable, StoreException> failures) {
        this.failures = failures;
        underWay = new CallsUnderWay(name, failures);
    }

    /**
     * The result of a swap. If the swap was refused, {@code found} is the existing cell, if the engine returns it. If
     * it succeeded on an engine that assigns versions itself, {@code found} is the cell with its version.
     */
    public record Swap(boolean done, @Nullable Cell found) {}

    /** Reads the cell, with the engine's strongest consistency; {@code null} if it does not exist. */
    protected abstract CompletionStage<@Nullable Cell> read(KeyDigest digest);

    /**
     * Writes a cell if the current one has this version, or if none exists and {@link Cell#ABSENT} is expected. It may be called
     * again with the same arguments, when its answer was lost.
     */
    protected abstract CompletionStage<Swap> swap(KeyDigest digest, long expectedVersion, Cell next);

    /** The clock that decides leases and expiry. */
    protected abstract SharedClock clock();

    /** Closes the resources that the store itself has opened. */
    protected abstract void closeEngine();

    /**
     * Whether the engine gave up because others write to the same key. That is not an outage: repeating the whole call would
     * only meet the others again.
     */
    protected boolean isContention(Throwable failure) {
        return false;
    }

    /** Sends a swap, and again if its answer was lost: only here is it known what that swap would have written. */
    private CompletionStage<Swap> send(KeyDigest digest, long expectedVersion, Cell next, int sends) {
        return swap(digest, expectedVersion, next)
                .thenApply(swapped -> sends == 1 || swapped.done() ? swapped : afterLoss(swapped.found(), next))
                .exceptionallyCompose(
                        failure -> sendAgain(failure, sends, () -> send(digest, expectedVersion, next, sends + 1)));
    }

    /** Reads a cell, and again if the answer was lost: a reader finishes what writers have begun, and so meets them too. */
    final CompletionStage<@Nullable Cell> sendRead(KeyDigest digest, int sends) {
        return read(digest)
                .exceptionallyCompose(failure -> sendAgain(failure, sends, () -> sendRead(digest, sends + 1)));
    }

    /** Once more after a lost answer, and a few times after contention. What still fails goes up to the caller, which repeats the call. */
    private <T extends @Nullable Object> CompletionStage<T> sendAgain(
            Throwable failure, int sends, Supplier<CompletionStage<T>> call) {
        if (isContention(EngineFailures.unwrap(failure)) && sends < MAX_SENDS) {
            return later(FIRST_PAUSE_AFTER_CONTENTION_MILLIS << Math.min(sends, MOST_DOUBLINGS), call);
        }
        return sends == 1 && failures.apply(failure) instanceof StoreUnavailableException
                ? call.get()
                : CompletableFuture.failedStage(failure);
    }

    private static <T extends @Nullable Object> CompletionStage<T> later(
            int mostMillis, Supplier<CompletionStage<T>> call) {
        int pause = ThreadLocalRandom.current().nextInt(mostMillis) + 1;
        return CompletableFuture.supplyAsync(call, CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS))
                .thenCompose(stage -> stage);
    }

    /** The result of a swap whose answer was lost, from the answer to the second one. */
    private static Swap afterLoss(@Nullable Cell found, Cell next) {
        StoredKey key = found == null ? null : found.key();
        // A key that was to be forgotten has been, if nothing is left of it or it was claimed as a new one since.
        boolean forgotten = next.key() == null
                && found != null
                && (key == null || (key.attempt() == 1 && key.token() > next.token()));
        return forgotten ? new Swap(true, null) : new Swap(CellBytes.sameContent(found, next), found);
    }

    /** Runs a call that {@link #close} waits for, and converts its failures to those of a store. */
    final <A> CompletionStage<A> tracked(Supplier<CompletionStage<A>> call) {
        return underWay.track(call);
    }

    /** Waits for the calls that are under way. */
    @Override
    public final void close() {
        underWay.close(CLOSE_LIMIT);
        closeEngine();
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        Task<Claim> task = new Task<>(
                request.key().digest(),
                (key, moment, newToken) -> KeyLife.claim(key, request, moment, newToken.getAsLong()),
                false);
        // Whether a clock that was found wrong has been put right, only an answer of the engine tells.
        return tracked(() -> clock().compared()
                .thenCompose(compared -> clock().isFoundWrong()
                        ? readAndAttempt(task, MAX_TRIES)
                        : attempt(task, new Guess(null), MAX_TRIES).thenCompose(this::keep)));
    }

    /**
     * Gives a new key back if the answer shows that the clock is wrong, because others would misread its lease. A key that was
     * taken over stays: released, it would be forgotten that an earlier attempt may have had effects.
     */
    private CompletionStage<Claim> keep(Claim claim) {
        if (!(claim instanceof Claim.Acquired acquired) || acquired.lease().attempt() > 1 || !clock().isFoundWrong()) {
            return CompletableFuture.completedFuture(claim);
        }
        return release(acquired.lease()).handle((done, failure) -> {
            clock().requireGood();
            throw new StoreUnavailableException(
                    "the clock of this machine was put right while it claimed a key; the same call can be sent again",
                    failure);
        });
    }

    @Override
    protected <A> CompletionStage<A> change(KeyDigest digest, Transition<A> call) {
        return tracked(() ->
                clock().compared().thenCompose(compared -> readAndAttempt(new Task<>(digest, call, false), MAX_TRIES)));
    }

    @Override
    protected <A> CompletionStage<A> changeOwn(Lease lease, Transition<A> call) {
        Task<A> task = new Task<>(lease.digest(), call, true);
        Cell remembered = own.get(lease.digest());
        return tracked(() ->
                remembered == null ? readAndAttempt(task, MAX_TRIES) : attempt(task, new Guess(remembered), MAX_TRIES));
    }

    /** A call on the key of a digest; {@code byOwner} for one that a wrong clock must not keep from being written. */
    private record Task<A>(KeyDigest digest, Transition<A> call, boolean byOwner) {}

    /** The cell that a call is decided on: one that was read, or the expected one. */
    private sealed interface Basis {
        @Nullable
        Cell cell();
    }

    private record Guess(@Nullable Cell cell) implements Basis {}

    private record Read(@Nullable Cell cell) implements Basis {}

    private <A> CompletionStage<A> readAndAttempt(Task<A> task, int tries) {
        return sendRead(task.digest(), 1).thenCompose(cell -> attempt(task, new Read(cell), tries));
    }

    private <A> CompletionStage<A> attempt(Task<A> task, Basis basis, int tries) {
        if (tries == 0) {
            return CompletableFuture.failedFuture(new StoreUnavailableException(
                    "key " + task.digest() + " changed " + MAX_TRIES + " times while it was written; the same call can"
                            + " be sent again",
                    null));
        }
        // A clock that was set would make a lease or a retention too long or too short, so it is compared first.
        return clock().isSteady()
                ? decide(task, basis, tries)
                : clock().compared()
                        .thenCompose(compared -> sendRead(task.digest(), 1))
                        .thenCompose(cell -> decide(task, new Read(cell), tries));
    }

    private <A> CompletionStage<A> decide(Task<A> task, Basis basis, int tries) {
        Cell cell = basis.cell();
        // The answer that brought the cell may have shown that the clock is wrong.
        Moment moment = task.byOwner() ? clock().moment() : clock().goodMoment();
        Change<A> change = task.call().on(cell == null ? null : cell.key(), moment, () -> newToken(cell, moment));
        if (!change.changed()) {
            return basis instanceof Read
                    ? CompletableFuture.completedFuture(change.answer())
                    : readAndAttempt(task, tries - 1);
        }
        Cell next = next(cell, change.next(), moment);
        return send(task.digest(), cell == null ? Cell.ABSENT : cell.version(), next, 1)
                .thenCompose(swapped -> {
                    if (swapped.done()) {
                        remember(task.digest(), swapped.found() == null ? next : swapped.found());
                        return CompletableFuture.completedFuture(change.answer());
                    }
                    own.remove(task.digest());
                    return again(task, swapped.found(), tries - 1);
                });
    }

    private <A> CompletionStage<A> again(Task<A> task, @Nullable Cell found, int tries) {
        int made = MAX_TRIES - tries;
        if (made <= TRIES_WITHOUT_PAUSE) {
            return found != null ? attempt(task, new Read(found), tries) : readAndAttempt(task, tries);
        }
        return later(LONGEST_PAUSE_MILLIS, () -> readAndAttempt(task, tries));
    }

    private void remember(KeyDigest digest, Cell next) {
        if (next.isOpen()) {
            own.put(digest, next);
        } else {
            own.remove(digest);
        }
    }

    private static long newToken(@Nullable Cell cell, Moment moment) {
        return Math.max(Micros.of(moment.now()), cell == null ? 1 : cell.token() + 1);
    }

    private static Cell next(@Nullable Cell cell, @Nullable StoredKey key, Moment moment) {
        long version = Math.max(Micros.of(moment.now()), cell == null ? 1 : cell.version() + 1);
        if (key == null) {
            long token = cell == null ? 0 : cell.token();
            return new Cell(version, token, null, removableAt(moment.now(), moment));
        }
        StoredKey.Settlement settlement = key.settlement();
        return new Cell(
                version, key.token(), key, settlement == null ? null : removableAt(settlement.removableAt(), moment));
    }

    /** When the engine may remove a cell that is not needed from this time on. */
    private static Instant removableAt(Instant time, Moment moment) {
        return time.plus(moment.skew().multipliedBy(2)).plus(GRACE);
    }
}
