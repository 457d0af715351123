package dev.semel.jdbc.row;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.jdbc.dialect.LeaseEnd;
import dev.semel.jdbc.dialect.SettleRequest;
import dev.semel.jdbc.dialect.StepResult;
import dev.semel.policy.Retention;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.KeyLife;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import dev.semel.util.Micros;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A write of the attempt that owns a key, made without reading the row first. The state machine decides on the key as its claim
 * has left it, and the change is written where the row is still {@link #AS_CLAIMED}: a compare-and-swap in one statement. A row
 * that is not has to be read, and decided on as it is.
 *
 * @param lease the lease that writes
 * @param decision what the request does to a key
 * @param set the columns that change, with a {@code ?} for each value; {@code {now} + ?} where a value is a time
 * @param types what the values are, a letter each: {@code n} for a number, {@code b} for bytes
 * @param binder binds the values
 */
public record OwnerWrite<Q>(
        Function<Q, Lease> lease, KeyDecision<Q, Boolean> decision, String set, String types, Binder binder) {

    /** The condition for a row that is unchanged since the claim, except for its lease and its steps. */
    public static final String AS_CLAIMED = "nonce = ? AND token = ? AND state = 0";

    /** For a decision whose times are added to the database's own clock by the statement. */
    public static final Moment RELATIVE = Moment.of(Instant.EPOCH);

    public static final OwnerWrite<SettleRequest> SETTLE = new OwnerWrite<>(
            SettleRequest::lease,
            (key, settle, moment) -> KeyLife.settle(key, settle.lease(), settle.outcome(), settle.retention(), moment),
            """
            state = ?, status = ?, format = ?, settled_at = {now} + ?, expires_at = {now} + ?, free_at = {now} + ?,
                purge_at = {now} + ?, headers = ?, body = ?""",
            "nnnnnnnbb",
            (statement, first, next) -> KeyColumns.bindSettlement(
                    statement, first, Objects.requireNonNull(present(next).settlement(), "no outcome")));

    public static final OwnerWrite<Renewal> RENEW = new OwnerWrite<>(
            Renewal::lease,
            (key, renewal, moment) -> KeyLife.renew(key, renewal.lease(), renewal.duration(), moment),
            "lease_until = {now} + ?",
            "n",
            (statement, first, next) -> {
                statement.setLong(first, Micros.of(present(next).leaseUntil()));
                return first + 1;
            });

    /** Of a step that is recorded twice, the first result counts when the steps are read. */
    public static OwnerWrite<StepResult> step(String appended) {
        return new OwnerWrite<>(
                StepResult::lease,
                (key, step, moment) -> KeyLife.recordStep(key, step.lease(), step.name(), step.result()),
                "steps = " + appended,
                "b",
                (statement, first, next) -> {
                    statement.setBytes(first, StoredSteps.encode(present(next).steps()));
                    return first + 1;
                });
    }

    /** Releases a key, or marks it unknown. */
    public static final KeyDecision<LeaseEnd, Boolean> END = (key, end, moment) ->
            end.isRelease() ? KeyLife.release(key, end.lease()) : KeyLife.abandon(key, end.lease(), moment);

    private static final Key SOME_KEY = Key.of("scope", "key");
    private static final Fingerprint SOME_FINGERPRINT = Fingerprint.of("body");

    /** Binds the values of a write from an index on, and returns the next free index. */
    @FunctionalInterface
    public interface Binder {
        int bind(PreparedStatement statement, int first, @Nullable StoredKey next) throws SQLException;
    }

    /**
     * The effect of the request on a key that is unchanged since its claim; {@code null} if the row has to be read
     * first.
     */
    @Nullable
    public Change<Boolean> asClaimed(Q request, Moment moment) {
        Lease owner = lease.apply(request);
        if (owner.token() < 1 || owner.attempt() < 1) {
            return null;
        }
        Change<Boolean> change = decision.on(claimedBy(owner), request, moment);
        StoredKey next = change.next();
        // A line of the history would have to be added to those that are there.
        boolean isInSet = next == null || next.history().isEmpty();
        return change.changed() && change.answer() && isInSet ? change : null;
    }

    /** The parts of a claimed key that matter to a write of its owner; the others stand for what is in the row. */
    private static StoredKey claimedBy(Lease lease) {
        return StoredKey.builder(SOME_KEY, "operation", SOME_FINGERPRINT, lease.nonce(), Retention.DEFAULT, null)
                .attempt(lease.attempt(), lease.token())
                .lease(Instant.EPOCH, Instant.EPOCH)
                .build();
    }

    private static StoredKey present(@Nullable StoredKey next) {
        return Objects.requireNonNull(next, "this write leaves a key");
    }

    /** Binds the condition {@link #AS_CLAIMED}, and returns the next free index. */
    public static int bindAsClaimed(PreparedStatement statement, int first, Lease lease) throws SQLException {
        statement.setBytes(first, KeyRow.bytes(lease.nonce()));
        statement.setLong(first + 1, lease.token());
        return first + 2;
    }
}
