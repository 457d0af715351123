package dev.semel.http.shadow;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.http.shadow.ShadowExchange.Ending;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.util.LengthPrefixedDigest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The records of shadow mode, in the store that all nodes share. They are in a namespace of their own: a request that is
 * protected never meets one of them, so the mode can be changed at any time and differ between nodes.
 */
final class ShadowKeys {

    /** The operation of records that remember a request. */
    static final String OPERATION = "semel:shadow";

    /** The operation of records that hold counts. */
    static final String REPORT = "semel:shadow-report";

    /** Whose records they are if they belong to no caller; no caller has this name. */
    static final String OWN_SCOPE = "semel:shadow";

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final long TIMEOUT_SECONDS = 10;
    private static final String SUFFIX = ".shadow";
    private static final int LONGEST_NAME = 64;

    private final KeyStore store;
    private final Namespace namespace;
    private final byte @Nullable [] fingerprintKey;

    ShadowKeys(KeyStore store, Namespace namespace, byte @Nullable [] fingerprintKey) {
        this.store = store;
        this.namespace = namespace;
        this.fingerprintKey = fingerprintKey;
    }

    /**
     * The policies under which maintenance settles what a node has left behind that died between a claim and its settle.
     * Nothing is ever run again.
     */
    static List<ExternalPolicy> policies() {
        return List.of(
                Policy.external(OPERATION).recovery(Recovery.FAIL).build(),
                Policy.external(REPORT).recovery(Recovery.FAIL).build());
    }

    /** The namespace of the records about requests of this one. */
    static Namespace shadowOf(Namespace namespace) {
        String name = namespace.name() + SUFFIX;
        return new Namespace(
                namespace.version(),
                name.length() <= LONGEST_NAME
                        ? name
                        : HexFormat.of()
                                        .formatHex(LengthPrefixedDigest.sha256()
                                                .add(namespace.name())
                                                .bytes())
                                        .substring(0, LONGEST_NAME - SUFFIX.length())
                                + SUFFIX);
    }

    /** Remembers a request by its key, and says what it was if the key was known; {@code null} if it was new. */
    CompletionStage<@Nullable ShadowFinding> byKey(
            String scope, ShadowedCall call, boolean whole, Ending ending, Duration retention) {
        Fingerprint fingerprint =
                keyed(whole ? call.fingerprint() : call.fingerprint().withRules("not read"));
        return remember(
                        namespace.key(scope, "key:" + call.key()),
                        OPERATION,
                        fingerprint,
                        Retention.of(retention),
                        Outcome.succeeded()
                                .status(ending.status())
                                .payload(Long.toString(ending.endedAt()))
                                .build())
                .thenApply(claim -> finding(claim, ending));
    }

    private static @Nullable ShadowFinding finding(Claim claim, Ending ending) {
        if (claim instanceof Claim.Acquired acquired && acquired.lease().attempt() == 1) {
            return null;
        }
        if (claim instanceof Claim.Mismatch) {
            return ShadowFinding.KEY_REUSED;
        }
        if (claim instanceof Claim.InFlight) {
            // It is being written at this moment, so the two requests have ended together.
            return ending.isError() ? ShadowFinding.RETRIED_WITH_ERROR : ShadowFinding.EXECUTED_IN_PARALLEL;
        }
        Outcome first = claim instanceof Claim.Settled settled ? settled.outcome() : null;
        if (ending.isError() || (first != null && isError(first))) {
            return ShadowFinding.RETRIED_WITH_ERROR;
        }
        return first != null && ending.startedAt() < endOf(first)
                ? ShadowFinding.EXECUTED_IN_PARALLEL
                : ShadowFinding.EXECUTED_TWICE;
    }

    private static boolean isError(Outcome first) {
        return new Ending(first.status(), null, true, 0, 0).isError();
    }

    /** When the first request ended; unknown of a record that maintenance has settled. */
    private static long endOf(Outcome first) {
        byte[] payload = first.payload();
        return payload == null || payload.length == 0
                ? Long.MIN_VALUE
                : Long.parseLong(new String(payload, StandardCharsets.US_ASCII));
    }

    /**
     * Remembers a request by what it asks for. The record's fingerprint is the key: a mismatch means that the same was asked
     * for under another one.
     */
    CompletionStage<@Nullable ShadowFinding> byRequest(String scope, ShadowedCall call) {
        byte[] asked = keyed(call.fingerprint()).bytes();
        Fingerprint key = Fingerprint.of(call.key() == null ? "" : call.key().toString());
        return remember(
                        namespace.key(scope, "request:" + HexFormat.of().formatHex(asked)),
                        OPERATION,
                        key.forOperation(OPERATION),
                        Retention.of(ShadowRecorder.SAME_REQUEST),
                        Outcome.succeeded().build())
                .thenApply(claim -> {
                    if (claim instanceof Claim.Mismatch) {
                        return ShadowFinding.EXECUTED_UNDER_NEW_KEY;
                    }
                    return call.key() == null && !(claim instanceof Claim.Acquired)
                            ? ShadowFinding.EXECUTED_WITHOUT_KEY
                            : null;
                });
    }

    /** Keeps counts. */
    CompletionStage<Claim> keep(String scope, String counts, Duration retention) {
        return remember(
                namespace.key(scope, "report:" + UUID.randomUUID()),
                REPORT,
                Fingerprint.of(counts).forOperation(REPORT),
                Retention.of(retention),
                Outcome.succeeded().payload(counts).build());
    }

    private Fingerprint keyed(Fingerprint fingerprint) {
        return fingerprintKey == null ? fingerprint : fingerprint.withKey(fingerprintKey);
    }

    private CompletionStage<Claim> remember(
            Key key, String operation, Fingerprint fingerprint, Retention retention, Outcome outcome) {
        ClaimRequest request = ClaimRequest.builder(key, operation, fingerprint)
                .lease(LEASE)
                .retention(retention)
                .takeOver(true)
                .build();
        return bounded(store.claim(request))
                .thenCompose(claim -> claim instanceof Claim.Acquired acquired
                        ? bounded(store.settle(acquired.lease(), outcome, retention))
                                .thenApply(settled -> claim)
                        : CompletableFuture.completedFuture(claim));
    }

    /** The same call, which is withdrawn when it takes too long. */
    private static <T> CompletableFuture<T> bounded(CompletionStage<T> call) {
        CompletableFuture<T> sent = call.toCompletableFuture();
        return sent.copy().orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).whenComplete((answer, failure) -> {
            if (failure != null) {
                sent.cancel(false);
            }
        });
    }
}
