package dev.semel.http;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.OutcomeUnknownException;
import dev.semel.SemelClosedException;
import dev.semel.SemelException;
import dev.semel.http.header.Expiry;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.replay.StatusResource;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the reply to a request out of how its call has ended.
 *
 * @param async whether the client asked not to be kept waiting, and may
 */
record ReplyFactory(HttpGate gate, HttpRules rules, boolean async) {

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    /** The reply if the handler's changes could not be committed. */
    Reply notCommitted(Exception cause, Key key) {
        LOG.warn(
                "the transaction of operation {} was not committed",
                rules.policy().operation(),
                cause);
        return again(
                key,
                1,
                ProblemType.STORE_UNAVAILABLE,
                "The changes of this request could not be committed. Send it again with the same key.");
    }

    /** The reply to a call whose handler has run. */
    Reply own(Execution.Executed<HandlerResponse> executed, Key key) {
        List<Header> extra = new ArrayList<>(rules.dialect().ofResult(key.value()));
        extra.addAll(expiry(executed));
        return new Reply.Own(extra);
    }

    /** The answer to a call that has run nothing. */
    Answer answer(Execution<HandlerResponse> execution, Call call) {
        Key key = call.key();
        if (execution instanceof Execution.Replayed<HandlerResponse> replayed) {
            Answer answer = rules.boundTo(gate).replays().answer(replayed.outcome(), key.value());
            return rules.publishExpiry() ? answer.with(Expiry.HEADER, Expiry.format(replayed.expiresAt())) : answer;
        }
        if (execution instanceof Execution.InFlight<HandlerResponse> inFlight) {
            return inFlight(inFlight.age(), inFlight.leaseLeft(), call);
        }
        if (execution instanceof Execution.LeaseLost<HandlerResponse> lost) {
            return inFlight(lost.age(), lost.leaseLeft(), call);
        }
        if (execution instanceof Execution.Mismatched<HandlerResponse>) {
            gate.tell(new HttpEvent.KeyReused(rules.policy().operation(), key));
            return problem(
                    key,
                    ProblemType.KEY_REUSED,
                    "This key was used for another request. Use a new key for a new operation; send a retry exactly as"
                            + " the first request was sent.");
        }
        if (execution instanceof Execution.Unknown<HandlerResponse>) {
            return problem(
                    key,
                    ProblemType.OUTCOME_UNKNOWN,
                    "An earlier attempt was interrupted, and its outcome is unknown. It is not run again; retry"
                            + " later with the same key, or contact the operator of this service.");
        }
        return problem(
                key,
                ProblemType.KEY_EXPIRED,
                "This key was used before and has expired. Its operation is not run again under it.");
    }

    private Answer inFlight(Duration age, Duration leaseLeft, Call call) {
        Key key = call.key();
        long seconds = gate.durations().retryAfter(rules.policy().operation(), age, leaseLeft);
        tellToRetry(key, seconds);
        StatusResource status = gate.statusResource();
        if (status != null && (async || rules.policy().duplicates() instanceof Duplicates.Accepted)) {
            return status.accepted(key, request(call), seconds);
        }
        return problem(
                        key,
                        ProblemType.IN_FLIGHT,
                        "The operation of this key is still running. Retry with the same key to get its outcome.")
                .with("Retry-After", Long.toString(seconds));
    }

    /** The answer to a client that does not wait for the handler. */
    Answer early(Call call) {
        StatusResource status = Objects.requireNonNull(gate.statusResource(), "validated rules have a status resource");
        long seconds = gate.durations()
                .retryAfter(
                        rules.policy().operation(),
                        Duration.ZERO,
                        rules.policy().lease());
        return status.accepted(call.key(), request(call), seconds).with("Preference-Applied", "respond-async");
    }

    /** The fingerprint as it is stored with the key. */
    private Fingerprint request(Call call) {
        return call.fingerprint().forOperation(rules.policy().identity());
    }

    private void tellToRetry(Key key, long seconds) {
        gate.tell(new HttpEvent.ToldToRetry(rules.policy().operation(), key, Duration.ofSeconds(seconds)));
    }

    /** The reply to a failed call, whose handler has ended or was never run. */
    Reply to(Throwable error, @Nullable HandlerEnd ended, Key key) {
        Throwable interruption = ended == null ? null : ended.interruption();
        if (ended != null && ended.meansNotExecuted() && Failures.unwrap(error) instanceof OutcomeUnknownException) {
            // An operation inside this one was not executed, or an earlier attempt may have had effects.
            return interrupted(error, key);
        }
        if (ended != null && ended.response() != null && interruption == null) {
            // The handler has answered: whatever happened to its key, this is the truth.
            return new Reply.Own(rules.dialect().ofResult(key.value()));
        }
        Throwable thrown = ended == null ? null : ended.failure();
        if (ended == null || thrown == null) {
            return notClaimed(error, key);
        }
        if (ended.meansNotExecuted()) {
            return again(
                    key,
                    1,
                    ProblemType.NOT_EXECUTED,
                    "The operation was not executed and has had no effect. Send it again with the same key.");
        }
        if (interruption != null || thrown instanceof OutcomeUnknownException) {
            return interrupted(thrown, key);
        }
        LOG.error("the handler of operation {} failed", rules.policy().operation(), thrown);
        return new Reply.Instead(ResponseCodec.failed(rules.dialect()));
    }

    /** Nothing was run, because the key could not be claimed. */
    Reply.Instead notClaimed(Throwable error, Key key) {
        logNotClaimed(Failures.unwrap(error));
        return again(
                key,
                1,
                ProblemType.STORE_UNAVAILABLE,
                "The state of this key is not available at the moment, so the request was not run. Send it"
                        + " again with the same key.");
    }

    /** Logs a refused request: only at debug level during an outage, which the engine has already logged. */
    private void logNotClaimed(Throwable cause) {
        String operation = rules.policy().operation();
        if (!(cause instanceof StoreUnavailableException)) {
            LOG.warn("a request of operation {} was refused because its key could not be claimed", operation, cause);
        } else if (gate.semel().storeHealth().isUp()) {
            LOG.warn(
                    "a request of operation {} was refused because its key could not be claimed: {}",
                    operation,
                    cause.getMessage());
        } else {
            LOG.debug("a request of operation {} was refused while the store is down", operation, cause);
        }
    }

    /** The answer to the caller of an attempt that cannot tell what it did. */
    private Reply interrupted(Throwable cause, Key key) {
        Policy policy = rules.policy();
        LOG.warn("the handler of operation {} cannot tell what it did", policy.operation(), cause);
        long lapse = Math.max(1, policy.lease().plusMillis(999).toSeconds());
        if (isStoreDown(SemelException.findIndeterminate(cause))) {
            return again(
                    key,
                    policy.recovery() == Recovery.HOLD ? 1 : lapse,
                    ProblemType.STORE_UNAVAILABLE,
                    "The operation was interrupted because its record could not be stored, and its outcome is"
                            + " unknown. Retry with the same key.");
        }
        if (policy.recovery() == Recovery.HOLD) {
            return new Reply.Instead(problem(
                    key,
                    ProblemType.OUTCOME_UNKNOWN,
                    "The operation was interrupted, and its outcome is unknown. Retry later with the same key."));
        }
        return again(
                key,
                lapse,
                ProblemType.IN_FLIGHT,
                "The operation was interrupted, and is recovered when its lease has ended. Retry with the same key"
                        + " to get its outcome.");
    }

    /** The handler was interrupted, and everything that it did was undone. */
    Reply rolledBack(Throwable cause, Key key) {
        LOG.warn("operation {} was interrupted and rolled back", rules.policy().operation(), cause);
        return again(
                key,
                1,
                isStoreDown(cause) ? ProblemType.STORE_UNAVAILABLE : ProblemType.NOT_EXECUTED,
                "The operation was interrupted, and its changes were rolled back. Send it again with the same key.");
    }

    private static boolean isStoreDown(@Nullable Throwable cause) {
        return cause instanceof StoreException || cause instanceof SemelClosedException;
    }

    private Reply.Instead again(Key key, long seconds, ProblemType type, String detail) {
        tellToRetry(key, seconds);
        if (type != ProblemType.IN_FLIGHT) {
            gate.tell(new HttpEvent.Failed(rules.policy().operation(), type));
        }
        return new Reply.Instead(problem(key, type, detail).with("Retry-After", Long.toString(seconds)));
    }

    private Answer problem(Key key, ProblemType type, String detail) {
        return gate.documented(
                rules, rules.dialect().answer(Problem.of(type, detail).about(key)));
    }

    private List<Header> expiry(Execution.Executed<HandlerResponse> executed) {
        if (!rules.publishExpiry() || !executed.isStored()) {
            return List.of();
        }
        Duration active = rules.policy().retentionOf(executed.outcome()).active();
        return List.of(
                new Header(Expiry.HEADER, Expiry.format(gate.clock().instant().plus(active))));
    }
}
