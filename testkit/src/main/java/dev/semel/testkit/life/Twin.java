package dev.semel.testkit.life;

import dev.semel.Header;
import dev.semel.Key;
import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One of two stores to which the same things happen. Its answers are printed in a form that does not depend on its clock: a duration
 * in units, a token by its place among those that the store has given to the key.
 */
final class Twin {

    static final String ACQUIRED = "acquired";

    private static final String LAPSED = "lease lapsed at ";

    private final KeyStore store;
    private final StepRecording steps;
    private final Function<KeyDigest, CompletionStage<Optional<KeyRecord>>> records;
    private final Decision decision;
    private final Map<UUID, Lease> leases = new HashMap<>();
    private final Map<KeyDigest, List<Long>> tokens = new HashMap<>();

    /** See {@link Inspecting#resolve}. */
    private interface Decision {
        CompletionStage<Boolean> on(KeyDigest digest, long token, Resolution resolution, String reason);
    }

    private Twin(
            KeyStore store,
            StepRecording steps,
            Function<KeyDigest, CompletionStage<Optional<KeyRecord>>> records,
            Decision decision) {
        this.store = store;
        this.steps = steps;
        this.records = records;
        this.decision = decision;
    }

    static Twin of(StateMachineStore store) {
        return new Twin(store, store, store::find, store::resolve);
    }

    static Twin of(KeyStore store) {
        Inspecting inspecting = (Inspecting) store;
        return new Twin(store, (StepRecording) store, inspecting::find, inspecting::resolve);
    }

    String claim(ClaimRequest request) {
        Claim claim = ask(store.claim(request));
        KeyDigest digest = request.key().digest();
        if (claim instanceof Claim.Acquired acquired) {
            Lease lease = acquired.lease();
            leases.put(request.nonce(), lease);
            return ACQUIRED + ", attempt " + lease.attempt() + given(digest, lease.token()) + steps(acquired.steps());
        }
        if (claim instanceof Claim.Settled settled) {
            return "settled" + outcome(settled.outcome()) + ", kept for "
                    + units(settled.settledAt(), settled.expiresAt()) + token(digest, settled.token()) + " "
                    + settled.traceId();
        }
        if (claim instanceof Claim.InFlight inFlight) {
            return "in flight for " + units(inFlight.age()) + ", for another " + units(inFlight.leaseLeft());
        }
        return claim.getClass().getSimpleName();
    }

    String settle(ClaimRequest by, Outcome outcome, Retention retention) {
        return "settled: " + ask(store.settle(lease(by), outcome, retention));
    }

    String renew(ClaimRequest by, Duration duration) {
        return "renewed: "
                + ask(store.renew(List.of(new Renewal(lease(by), duration)))).size();
    }

    String release(ClaimRequest by) {
        return "released: " + ask(store.release(lease(by)));
    }

    String abandon(ClaimRequest by) {
        return "abandoned: " + ask(store.abandon(lease(by)));
    }

    String recordStep(ClaimRequest by, String name, String result) {
        return "recorded: " + ask(steps.recordStep(lease(by), name, result.getBytes(StandardCharsets.UTF_8)));
    }

    String resolve(ClaimRequest seen, Resolution resolution, String reason) {
        Lease lease = lease(seen);
        return "resolved: " + ask(decision.on(lease.digest(), lease.token(), resolution, reason));
    }

    String find(Key key) {
        return ask(records.apply(key.digest())).map(this::tell).orElse("nothing");
    }

    private String tell(KeyRecord record) {
        KeyDigest digest = record.key().digest();
        Instant settledAt = record.settledAt();
        Instant expiresAt = record.expiresAt();
        return record.key().value() + " " + record.operation() + " " + record.state() + ", attempt "
                + record.attempt() + token(digest, record.token()) + ", " + record.fingerprint() + ", lease of "
                + units(record.claimedAt(), record.leaseUntil()) + ", " + record.retention()
                + (settledAt == null || expiresAt == null
                        ? ""
                        : ", settled after " + units(record.claimedAt(), settledAt) + ", kept for "
                                + units(settledAt, expiresAt))
                + outcome(record.outcome()) + steps(record.steps()) + " " + record.traceId() + " "
                + record.history().stream()
                        .map(entry -> tell(digest, entry))
                        .collect(Collectors.joining(", ", "[", "]"));
    }

    private String tell(KeyDigest digest, KeyRecord.HistoryEntry entry) {
        String note = entry.note();
        if (note.startsWith(LAPSED)) {
            note = LAPSED + units(Instant.parse(note.substring(LAPSED.length())), entry.at()) + " before";
        }
        return entry.event() + ": " + note + ", attempt " + entry.attempt() + token(digest, entry.token());
    }

    /** Notes a token, which is larger than all before it unless it is that of a claim that was sent again. */
    private String given(KeyDigest digest, long token) {
        List<Long> known = tokens.computeIfAbsent(digest, none -> new ArrayList<>());
        if (!known.contains(token)) {
            if (!known.isEmpty() && token < known.get(known.size() - 1)) {
                return ", token " + token + " after " + known;
            }
            known.add(token);
        }
        return token(digest, token);
    }

    private String token(KeyDigest digest, long token) {
        return ", token " + tokens.getOrDefault(digest, List.of()).indexOf(token);
    }

    private static String outcome(@Nullable Outcome outcome) {
        return outcome == null
                ? ""
                : " " + (outcome.isSuccess() ? "succeeded" : "failed") + " " + outcome.status() + " "
                        + outcome.contentType() + " "
                        + outcome.headers().stream().map(Header::name).toList() + " " + text(outcome.payload());
    }

    private static String steps(Map<String, byte[]> steps) {
        return steps.entrySet().stream()
                .map(step -> step.getKey() + "=" + text(step.getValue()))
                .collect(Collectors.joining(", ", " {", "}"));
    }

    private static String text(byte @Nullable [] bytes) {
        return bytes == null ? "nothing" : new String(bytes, StandardCharsets.UTF_8);
    }

    private static String units(Instant from, Instant to) {
        return units(Duration.between(from, to));
    }

    /** Rounded: on a real clock, some time passes by itself. */
    private static String units(Duration duration) {
        return Math.round(duration.toMillis() / (double) SameLife.UNIT.toMillis()) + " units";
    }

    /** The lease of an attempt. One that never got the key writes with the token of the last owner. */
    private Lease lease(ClaimRequest request) {
        KeyDigest digest = request.key().digest();
        List<Long> known = tokens.getOrDefault(digest, List.of());
        long token = known.isEmpty() ? Long.MAX_VALUE : known.get(known.size() - 1);
        return leases.getOrDefault(request.nonce(), new Lease(digest, request.nonce(), token, 1));
    }

    private static <T> T ask(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
