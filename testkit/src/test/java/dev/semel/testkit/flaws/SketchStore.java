package dev.semel.testkit.flaws;

import static dev.semel.testkit.flaws.Flaw.*;

import dev.semel.Key;
import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import dev.semel.util.ReadableKey;
import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;

/**
 * A store under one lock, written to be read: each condition that a guarantee rests on stands beside the {@link Flaw}
 * that leaves it out.
 */
final class SketchStore implements KeyStore, Purging, Inspecting, StepRecording, Importing {

    private final Map<String, Row> rows = new TreeMap<>();
    private final Map<KeyDigest, String> places = new HashMap<>();
    private final List<HistoryEntry> released = new ArrayList<>();
    private final InstantSource clock;
    private final Flaw flaw;
    private long lastToken;

    SketchStore(InstantSource clock, Flaw flaw) {
        this.clock = clock;
        this.flaw = flaw;
    }

    private boolean has(Flaw one) {
        return flaw == one;
    }

    private Instant time() {
        return has(GOES_BY_THE_MACHINES_CLOCK) && rows.size() % 2 == 0 ? Instant.now() : clock.instant();
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        if (has(WITHDRAWN_CLAIMS_TAKE_EFFECT)) {
            return FlawedAnswers.late(answer(request));
        }
        return done(answer(request));
    }

    private Claim answer(ClaimRequest request) {
        String place = place(request.key());
        if (has(PURGE_IS_CHECK_THEN_ACT)) {
            LockSupport.parkNanos(1_000_000);
        }
        Row seen;
        synchronized (this) {
            seen = rows.get(place);
            if (!isCheckThenAct(seen)) {
                return claim(place, seen, request);
            }
        }
        LockSupport.parkNanos(2_000_000);
        synchronized (this) {
            return claim(place, seen, request);
        }
    }

    private boolean isCheckThenAct(Row seen) {
        return (has(CLAIM_IS_CHECK_THEN_ACT) && seen == null)
                || (has(REUSE_IS_CHECK_THEN_ACT) && seen != null && seen.state(time()) == KeyState.EXPIRED)
                || (has(TAKEOVER_IS_CHECK_THEN_ACT) && seen != null && seen.state(time()) == KeyState.LAPSED);
    }

    private Claim claim(String place, Row row, ClaimRequest request) {
        Instant now = time();
        if (row == null) {
            Row first = new Row();
            first.history.addAll(has(KEEPS_THE_HISTORY_OF_RELEASED_KEYS) ? released : List.of());
            return acquire(place, first, request, 1);
        }
        KeyState state = row.state(now);
        boolean own = row.nonce.equals(request.nonce());
        boolean matches = FlawedMatch.matches(flaw, row.fingerprint, request.fingerprint());
        if (state == KeyState.EXPIRED && !has(NEVER_EXPIRES)) {
            if (has(KEEPS_THE_FINGERPRINT_OF_AN_EXPIRED_LIFE) && !matches) {
                return new Claim.Mismatch();
            }
            if (now.isBefore(row.freeAt) && !has(IGNORES_TOMBSTONES)) {
                return new Claim.Expired();
            }
            return reuse(place, row, request);
        }
        if (own && row.outcome == null && !row.unknown && !has(DOES_NOT_KNOW_ITS_OWN_CLAIM)) {
            return new Claim.Acquired(row.lease(), Map.copyOf(row.steps));
        }
        if (!matches && !FlawedMatch.isIgnored(flaw, state)) {
            return new Claim.Mismatch();
        }
        if (mayTakeOver(state, request)) {
            Row next = new Row();
            next.steps = has(LOSES_STEPS_ON_TAKEOVER) ? next.steps : row.steps;
            next.token = row.token;
            next.retention = has(TAKEOVER_KEEPS_THE_FORMER_RETENTION) ? row.retention : null;
            return acquire(place, next, request, has(ATTEMPT_IS_NOT_COUNTED) ? 1 : row.attempt + 1);
        }
        return switch (state) {
            case PENDING ->
                new Claim.InFlight(Duration.between(row.claimedAt, now), Duration.between(now, row.leaseUntil));
            case LAPSED, UNKNOWN ->
                has(LAPSED_KEYS_FAIL) && state == KeyState.LAPSED
                        ? FlawedAnswers.failed(now, row.token)
                        : new Claim.Unknown();
            default ->
                Claim.Settled.builder(row.outcome, row.settledAt, row.expiresAt, row.token)
                        .traceId(row.traceId)
                        .build();
        };
    }

    private boolean mayTakeOver(KeyState state, ClaimRequest request) {
        return switch (state) {
            case PENDING -> has(TAKES_OVER_LIVE_LEASES) && request.takeOver();
            case LAPSED -> request.takeOver() || has(TAKES_OVER_UNASKED);
            case UNKNOWN -> has(TAKES_OVER_UNKNOWN_KEYS) && request.takeOver();
            case FAILED -> has(RUNS_FAILED_OPERATIONS_AGAIN) && request.takeOver();
            case SUCCEEDED -> has(TAKES_OVER_SETTLED_KEYS) && request.takeOver();
            case EXPIRED -> false;
        };
    }

    private Claim reuse(String place, Row old, ClaimRequest request) {
        Row next = new Row();
        next.steps = has(KEEPS_STEPS_AFTER_EXPIRY) ? old.steps : next.steps;
        next.retention = has(REUSE_KEEPS_THE_FORMER_RETENTION) ? old.retention : null;
        restartTokens(TOKEN_STARTS_ANEW_AFTER_EXPIRY);
        return acquire(place, next, request, has(ATTEMPT_GOES_ON_AFTER_EXPIRY) ? old.attempt + 1 : 1);
    }

    private Claim acquire(String place, Row row, ClaimRequest request, int attempt) {
        row.key = request.key();
        row.operation = request.operation();
        row.fingerprint = request.fingerprint();
        row.nonce = request.nonce();
        row.token = has(TOKEN_STAYS_ACROSS_TAKEOVER) && row.token > 0 ? row.token : ++lastToken;
        row.attempt = attempt;
        row.claimedAt = time();
        row.leaseUntil = row.claimedAt.plus(request.lease());
        row.retention = row.retention == null ? request.retention() : row.retention;
        row.traceId = request.traceId();
        rows.put(place, row);
        places.put(request.key().digest(), place);
        return new Claim.Acquired(row.lease(), Map.copyOf(row.steps));
    }

    private void restartTokens(Flaw one) {
        lastToken = has(one) ? 0 : lastToken;
    }

    @Override
    public synchronized CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        Row row = owned(lease, SETTLES_WITHOUT_TOKEN);
        if (row == null && has(STORES_WHAT_IT_REFUSES)) {
            settle(row(lease.digest()), outcome, retention);
        }
        if (row == null
                || (has(REFUSES_LATE_SETTLES) && row.state(time()) == KeyState.LAPSED)
                || (has(REFUSES_SETTLES_OF_UNKNOWN_KEYS) && row.unknown)) {
            return done(false);
        }
        if (row.outcome != null && !has(SETTLES_IN_ANY_STATE) && !has(REPEATED_SETTLE_PROLONGS)) {
            return done(!has(DOES_NOT_KNOW_ITS_OWN_SETTLE));
        }
        settle(row, outcome, retention);
        return done(true);
    }

    private void settle(Row row, Outcome outcome, Retention retention) {
        row.unknown = false;
        row.outcome = FlawedAnswers.stored(flaw, outcome);
        row.settledAt = time();
        Instant from = has(COUNTS_RETENTION_FROM_THE_CLAIM) ? row.claimedAt : row.settledAt;
        row.expiresAt = from.plus(
                has(CLAIM_PROLONGS_RETENTION) && row.retention.active().compareTo(retention.active()) > 0
                        ? row.retention.active()
                        : retention.active());
        if (has(EXPIRES_WITH_THE_LEASE)) {
            row.expiresAt = row.leaseUntil;
        }
        if (has(LEASE_PROLONGS_RETENTION) && row.leaseUntil.isAfter(row.expiresAt)) {
            row.expiresAt = row.leaseUntil;
        }
        Duration blocked = has(AUDIT_BLOCKS_THE_KEY) ? retention.audit() : retention.tombstone();
        row.freeAt = row.expiresAt.plus(blocked);
        if (has(NEVER_FREES_TOMBSTONES) && retention.leavesTombstone()) {
            row.freeAt = Instant.MAX;
        }
        Duration kept = retention.total();
        if (has(PURGES_WITHIN_AUDIT)) {
            kept = retention.active().plus(retention.tombstone());
        } else if (has(PURGES_TOMBSTONES)) {
            kept = retention.active().plus(retention.audit());
        }
        row.purgeAt = row.settledAt.plus(kept);
    }

    @Override
    public synchronized CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        Set<Lease> held = new HashSet<>();
        for (Renewal renewal : renewals) {
            Row row = owned(renewal.lease(), RENEWS_WITHOUT_TOKEN);
            boolean pending = row != null && row.outcome == null && !row.unknown;
            boolean revived = row != null && row.unknown && has(RENEWAL_REVIVES_UNKNOWN_KEYS);
            if (pending || revived || (row != null && has(RENEWS_IN_ANY_STATE))) {
                Instant from = has(RENEWAL_COUNTS_FROM_THE_CLAIM) ? row.claimedAt.minus(Duration.ofDays(1)) : time();
                row.leaseUntil = has(RENEWS_FOR_EVER) ? Instant.MAX : from.plus(renewal.duration());
                row.unknown = false;
                held.add(renewal.lease());
            }
        }
        return done(has(RENEWS_ALL_OR_NOTHING) && held.size() < renewals.size() ? Set.of() : held);
    }

    @Override
    public synchronized CompletionStage<Boolean> release(Lease lease) {
        Row row = owned(lease, RELEASES_WITHOUT_TOKEN);
        if (row == null && has(RELEASES_TWICE)) {
            return done(true);
        }
        if (row == null || (row.outcome != null && !has(RELEASES_IN_ANY_STATE))) {
            return done(false);
        }
        rows.values().remove(row);
        restartTokens(TOKEN_STARTS_ANEW_AFTER_RELEASE);
        return done(true);
    }

    @Override
    public synchronized CompletionStage<Boolean> abandon(Lease lease) {
        Row row = owned(lease, ABANDONS_WITHOUT_TOKEN);
        if (row == null
                || (row.outcome != null && !has(ABANDONS_IN_ANY_STATE))
                || (row.unknown && has(DOES_NOT_KNOW_ITS_OWN_ABANDON))) {
            return done(false);
        }
        row.outcome = null;
        row.unknown = true;
        if (has(ABANDONED_KEYS_FAIL)) {
            settle(row, FlawedAnswers.FAILURE, Retention.DEFAULT);
        }
        return done(true);
    }

    @Override
    public synchronized CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        Row row = owned(lease, RECORDS_WITHOUT_TOKEN);
        if (row == null || ((row.outcome != null || row.unknown) && !has(RECORDS_IN_ANY_STATE))) {
            return done(false);
        }
        if (has(KEEPS_THE_LAST_STEP_RESULT)) {
            row.steps.put(name, result);
        } else {
            row.steps.putIfAbsent(name, result);
        }
        if (has(STEPS_SETTLE)) {
            settle(row, FlawedAnswers.FAILURE, Retention.DEFAULT);
        }
        return done(true);
    }

    /** The row that this lease may write to. */
    private Row owned(Lease lease, Flaw withoutToken) {
        Row row = row(lease.digest());
        if (row == null || has(withoutToken)) {
            return row;
        }
        boolean sameToken = row.token == lease.token() || has(FENCES_BY_NONCE_ALONE);
        boolean sameNonce = row.nonce.equals(lease.nonce()) || has(FENCES_BY_TOKEN_ALONE);
        return sameNonce && sameToken ? row : null;
    }

    @Override
    public CompletionStage<Purged> purge(int limit) {
        List<String> doomed;
        synchronized (this) {
            doomed = rows.entrySet().stream()
                    .filter(entry -> isPurgeable(entry.getValue()))
                    .limit(has(PURGES_WITHOUT_BOUND) ? Long.MAX_VALUE : limit)
                    .map(Map.Entry::getKey)
                    .toList();
            if (!has(PURGE_IS_CHECK_THEN_ACT)) {
                return remove(doomed, limit);
            }
        }
        LockSupport.parkNanos(20_000_000);
        synchronized (this) {
            return remove(doomed, limit);
        }
    }

    private CompletionStage<Purged> remove(List<String> doomed, int limit) {
        doomed.forEach(rows::remove);
        restartTokens(TOKEN_STARTS_ANEW_AFTER_PURGE);
        return done(new Purged(doomed.size(), doomed.size() == limit));
    }

    private boolean isPurgeable(Row row) {
        if (has(PURGES_NOTHING)) {
            return false;
        }
        return switch (row.state(time())) {
            case PENDING -> has(PURGES_PENDING_KEYS);
            case LAPSED -> has(PURGES_LAPSED_KEYS);
            case UNKNOWN -> has(PURGES_UNKNOWN_KEYS);
            case SUCCEEDED, FAILED -> has(PURGES_WITHIN_RETENTION);
            case EXPIRED -> !time().isBefore(row.purgeAt);
        };
    }

    @Override
    public synchronized CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return done(Optional.ofNullable(row(digest)).map(row -> row.record(time())));
    }

    @Override
    public synchronized CompletionStage<KeyPage> page(KeyQuery query) {
        String after = query.cursor() == null ? "" : query.cursor();
        List<Map.Entry<String, Row>> found = rows.entrySet().stream()
                .filter(entry -> has(PAGES_OVERLAP)
                        ? entry.getKey().compareTo(after) >= 0
                        : entry.getKey().compareTo(after) > 0)
                .filter(entry -> matches(entry.getValue(), query))
                .limit(query.limit())
                .toList();
        // Without this the flaw would page forever instead of showing a record twice.
        boolean stuck = found.size() == 1 && found.get(0).getKey().equals(after);
        String next = found.size() < query.limit() || stuck
                ? null
                : found.get(found.size() - 1).getKey();
        return done(new KeyPage(
                found.stream().map(entry -> entry.getValue().record(time())).toList(), next));
    }

    private boolean matches(Row row, KeyQuery query) {
        return (query.state() == null || query.state() == row.state(time()) || has(PAGES_IGNORE_THE_STATE))
                && (query.operation() == null
                        || query.operation().equals(row.operation)
                        || has(PAGES_IGNORE_THE_OPERATION))
                && (query.scope() == null || query.scope().equals(row.key.scope()) || has(PAGES_IGNORE_THE_SCOPE))
                && (query.value() == null || query.value().equals(row.key.value()));
    }

    @Override
    public CompletionStage<Instant> now() {
        return done(time());
    }

    @Override
    public synchronized CompletionStage<StoreStatistics> statistics() {
        Map<KeyState, Long> keys = new EnumMap<>(KeyState.class);
        List<Duration> ages = new ArrayList<>(List.of(Duration.ZERO));
        for (Row row : rows.values()) {
            KeyState state = row.state(time());
            if (state == KeyState.PENDING || state == KeyState.LAPSED) {
                ages.add(Duration.between(row.claimedAt, time()));
            }
            boolean miscounted = has(COUNTS_LAPSED_AS_PENDING) && state == KeyState.LAPSED;
            keys.merge(miscounted ? KeyState.PENDING : state, 1L, Long::sum);
        }
        Duration oldest = ages.stream().max(Duration::compareTo).orElseThrow();
        return done(StoreStatistics.builder(time(), keys)
                .pendingAge(new PendingAge(oldest, oldest, oldest, oldest))
                .build());
    }

    @Override
    public synchronized CompletionStage<Boolean> resolve(
            KeyDigest digest, long token, Resolution resolution, String reason) {
        Row row = row(digest);
        if (row == null || (row.token != token && !has(RESOLVES_WITHOUT_TOKEN)) || !isResolvable(row.state(time()))) {
            return done(false);
        }
        boolean heldAlready = resolution instanceof Resolution.Hold && row.unknown && !has(NOTES_EACH_HOLD);
        if (!has(FORGETS_THE_REASON) && !heldAlready) {
            row.history.add(new HistoryEntry(time(), row.attempt, row.token, "resolved", reason));
        }
        if (resolution instanceof Resolution.Settle settle) {
            settle(row, settle.outcome(), decided(row.retention));
            row.nonce = has(RESOLVES_WITHOUT_FENCE) ? row.nonce : UUID.randomUUID();
            row.token = has(RESOLVES_WITH_ANOTHER_TOKEN) ? ++lastToken : row.token;
        } else if (resolution instanceof Resolution.Release) {
            rows.values().remove(row);
            released.addAll(row.history);
            restartTokens(TOKEN_STARTS_ANEW_AFTER_FORGET);
        } else {
            row.unknown = true;
            row.nonce = has(HOLD_FENCES_THE_OWNER) ? UUID.randomUUID() : row.nonce;
        }
        return done(true);
    }

    private Retention decided(Retention retention) {
        Retention kept = has(DECISIONS_FORGET_THE_RETENTION) ? Retention.DEFAULT : retention;
        kept = has(DECISIONS_FORGET_THE_TOMBSTONE) ? kept.withTombstone(Duration.ZERO) : kept;
        return has(DECISIONS_FORGET_THE_AUDIT_WINDOW) ? kept.withAudit(Duration.ZERO) : kept;
    }

    @Override
    public synchronized CompletionStage<Boolean> importRecord(KeyRecord record, Instant asOf) {
        Importing.requireImportable(record);
        Row old = row(record.key().digest());
        if (old != null && (old.outcome == null || time().isBefore(old.freeAt) || old.token >= record.token())) {
            return done(old.token == record.token()
                    && old.state(time()) == record.state()
                    && old.fingerprint.equals(record.fingerprint()));
        }
        Retention kept = has(IMPORTS_FORGET_THE_RETENTION) ? Retention.DEFAULT : record.retention();
        kept = has(IMPORTS_FORGET_THE_TOMBSTONE) ? kept.withTombstone(Duration.ZERO) : kept;
        kept = has(IMPORTS_FORGET_THE_AUDIT_WINDOW) ? kept.withAudit(Duration.ZERO) : kept;
        lastToken = Math.max(lastToken, record.token());
        rows.put(place(record.key()), Row.imported(record, kept, Duration.between(asOf, time())));
        places.put(record.key().digest(), place(record.key()));
        return done(true);
    }

    private boolean isResolvable(KeyState state) {
        return switch (state) {
            case LAPSED, UNKNOWN -> true;
            case PENDING -> has(RESOLVES_LIVE_KEYS);
            case SUCCEEDED, FAILED -> has(RESOLVES_SETTLED_KEYS);
            case EXPIRED -> false;
        };
    }

    @Override
    public void close() {}

    private Row row(KeyDigest digest) {
        String place = places.get(digest);
        return place == null ? null : rows.get(place);
    }

    /** What names a key in this store. */
    private String place(Key key) {
        String space = has(FORGETS_THE_NAMESPACE) ? "" : key.namespace().toString();
        String scope = has(FORGETS_THE_SCOPE) ? "" : key.scope();
        String value = ReadableKey.identity(key.value());
        if (has(JOINS_SCOPE_AND_VALUE)) {
            return space + scope + value;
        }
        if (has(FOLDS_CASE)) {
            value = value.toLowerCase(Locale.ROOT);
        } else if (has(TRIMS_KEYS)) {
            value = value.strip();
        } else if (has(NORMALISES_KEYS)) {
            value = Normalizer.normalize(value, Normalizer.Form.NFC);
        } else if (has(CUTS_LONG_KEYS)) {
            scope = scope.substring(0, Math.min(100, scope.length()));
        }
        return space + "\n" + scope + "\n" + value;
    }

    private static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
