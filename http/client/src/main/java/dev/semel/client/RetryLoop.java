package dev.semel.client;

import dev.semel.client.response.HttpDate;
import dev.semel.client.sending.Cancellable;
import dev.semel.client.sending.SendHistory;
import dev.semel.client.sending.Timer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts of one operation, one after the other, with any HTTP client. Every attempt has the same key and
 * the same body; the loop ends with the answer to the operation, or reports that there is none.
 */
public final class RetryLoop<R> {

    /** Sends the requests of one operation. A stage that fails with an {@link IOException} may be tried again. */
    public interface Sender<R> {

        CompletionStage<ServerAnswer<R>> send(Duration timeout);

        /** Asks the status resource for the outcome, as the same caller. */
        CompletionStage<ServerAnswer<R>> ask(URI location, Duration timeout);
    }

    /** An answer, and what it took to get it. */
    public static final class Result<R> {

        private final ServerAnswer<R> answer;
        private final List<RequestAttempt> attempts;
        private final boolean replayed;
        private final boolean definite;

        private Result(ServerAnswer<R> answer, List<RequestAttempt> attempts, boolean replayed, boolean definite) {
            this.answer = answer;
            this.attempts = List.copyOf(attempts);
            this.replayed = replayed;
            this.definite = definite;
        }

        public ServerAnswer<R> answer() {
            return answer;
        }

        public List<RequestAttempt> attempts() {
            return attempts;
        }

        public boolean replayed() {
            return replayed;
        }

        /**
         * Whether the answer is the outcome of the operation. Otherwise it is an answer to this request, before which nothing
         * was applied.
         */
        public boolean definite() {
            return definite;
        }
    }

    /** The headers that mark a replay by default. */
    static final Set<String> MARKERS = Set.of("X-Idempotency-Replayed", "Idempotent-Replayed");

    private static final Logger LOG = LoggerFactory.getLogger(RetryLoop.class);

    private final String operation;
    private final String key;
    private final URI uri;
    private final RetryPolicy policy;
    private final Set<String> markers;
    private final Sender<R> sender;
    private final Timer timer;
    private final SendHistory history;
    private final long start;
    private final List<RequestAttempt> attempts = new ArrayList<>();

    private int sent;
    private boolean maybeApplied;
    private @Nullable URI statusResource;
    private @Nullable Throwable lastFailure;
    private @Nullable Duration asked;
    private volatile @Nullable CompletableFuture<?> current;

    private RetryLoop(
            String operation,
            String key,
            URI uri,
            RetryPolicy policy,
            Set<String> markers,
            Sender<R> sender,
            Timer timer,
            SendHistory history) {
        this.operation = operation;
        this.key = key;
        this.uri = uri;
        this.policy = policy;
        this.markers = markers;
        this.sender = sender;
        this.timer = timer;
        this.history = history;
        this.start = timer.nanos();
    }

    /** Runs the attempts of an operation, which is described by its method and address. */
    public static <R> CompletableFuture<Result<R>> run(
            String method, URI uri, String key, RetryPolicy policy, Sender<R> sender) {
        return run(method, uri, key, policy, MARKERS, sender, Timer.SYSTEM, SendHistory.begun(Instant.now()));
    }

    /** Like {@link #run}, in the calling thread alone, for a sender that blocks. */
    public static <R> Result<R> runHere(String method, URI uri, String key, RetryPolicy policy, Sender<R> sender)
            throws InterruptedException {
        try {
            return run(method, uri, key, policy, MARKERS, sender, Timer.SLEEPING, SendHistory.begun(Instant.now()))
                    .join();
        } catch (CompletionException e) {
            Throwable cause = Cancellable.unwrap(e);
            if (cause instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            throw cause instanceof RuntimeException known
                    ? known
                    : new IdempotentCallException("cannot send " + method + " " + uri + ": " + cause, cause);
        }
    }

    /**
     * Runs the attempts; if other sends of the operation may have been applied, a refusal is not the answer to the
     * operation.
     */
    static <R> CompletableFuture<Result<R>> run(
            String method,
            URI uri,
            String key,
            RetryPolicy policy,
            Set<String> markers,
            Sender<R> sender,
            Timer timer,
            SendHistory history) {
        RetryLoop<R> loop = new RetryLoop<>(method + " " + uri, key, uri, policy, markers, sender, timer, history);
        CompletableFuture<Result<R>> result = new CompletableFuture<>();
        result.whenComplete((done, failure) -> loop.stopIfCancelled(result));
        loop.continueTo(result);
        return result;
    }

    /** Goes on to the end, and does not call itself where nothing has to be waited for: a status may be asked often. */
    private void continueTo(CompletableFuture<Result<R>> result) {
        CompletableFuture<Optional<Result<R>>> attempt = attempt();
        while (attempt.isDone()
                && !attempt.isCompletedExceptionally()
                && attempt.join().isEmpty()) {
            attempt = attempt();
        }
        attempt.whenComplete((end, failure) -> {
            if (failure != null) {
                timer.execute(() -> result.completeExceptionally(failure));
            } else if (end.isPresent()) {
                timer.execute(() -> result.complete(end.get()));
            } else {
                continueTo(result);
            }
        });
    }

    private void stopIfCancelled(CompletableFuture<?> result) {
        CompletableFuture<?> running = current;
        if (result.isCancelled() && running != null) {
            running.cancel(true);
        }
    }

    private Duration left() {
        return policy.deadline().minusNanos(timer.nanos() - start);
    }

    /** One attempt. Empty if another one must follow after the pause. */
    private CompletableFuture<Optional<Result<R>>> attempt() {
        Duration left = left();
        Duration timeout = left.compareTo(policy.attemptTimeout()) < 0 ? left : policy.attemptTimeout();
        if (timeout.isNegative() || timeout.isZero()) {
            return giveUp("the deadline of " + policy.deadline() + " has passed");
        }
        URI ask = statusResource;
        if (ask == null) {
            if (isForgottenAfter(Duration.ZERO)) {
                return forgotten();
            }
            sent++;
        }
        long began = timer.nanos();
        CompletableFuture<ServerAnswer<R>> sending;
        try {
            sending = (ask == null ? sender.send(timeout) : sender.ask(ask, timeout)).toCompletableFuture();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
        current = sending;
        return bounded(sending, timeout)
                .handle((answer, failure) -> {
                    Duration took = Duration.ofNanos(timer.nanos() - began);
                    return failure == null ? answered(answer, took) : failed(Cancellable.unwrap(failure), took);
                })
                .thenCompose(next -> next);
    }

    /** The response's body counts too, which the time limits of most clients do not cover. */
    private static <T> CompletableFuture<T> bounded(CompletableFuture<T> sending, Duration timeout) {
        CompletableFuture<T> bounded = sending.copy().orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
        bounded.whenComplete((answer, failure) -> {
            if (failure instanceof TimeoutException) {
                sending.cancel(true);
            }
        });
        return bounded;
    }

    private CompletableFuture<Optional<Result<R>>> answered(ServerAnswer<R> answer, Duration took) {
        publishedExpiry(answer, took).ifPresent(history::published);
        Verdict verdict = Verdict.of(answer, policy, markers, timer.now());
        if (verdict instanceof Verdict.Final last) {
            return ended(answer, last, took);
        }
        if (verdict instanceof Verdict.Follow follow) {
            maybeApplied = true;
            Optional<URI> target = sameOrigin(follow.location());
            attempts.add(
                    new RequestAttempt(202, took, target.isPresent() ? "still running" : "not followed elsewhere"));
            // Elsewhere, the caller's credentials would be given away; asking again here is as good.
            statusResource = target.orElse(null);
            return again(follow.after());
        }
        if (statusResource != null && answer.status() >= 400 && !Verdict.AGAIN.contains(answer.status())) {
            return notStored(answer.status(), took);
        }
        Verdict.Again again = (Verdict.Again) verdict;
        maybeApplied |= again.applied();
        attempts.add(new RequestAttempt(answer.status(), took, again.note()));
        return again(again.after());
    }

    private CompletableFuture<Optional<Result<R>>> ended(ServerAnswer<R> answer, Verdict.Final last, Duration took) {
        int status = answer.status();
        if (statusResource != null && !last.replayed()) {
            return notStored(status, took);
        }
        if (last.meaning() == Verdict.Meaning.UNKNOWN) {
            maybeApplied = true;
            attempts.add(new RequestAttempt(status, took, "the server does not know the outcome"));
            return giveUp("the server does not know it either, as it says with status " + status);
        }
        boolean definite = last.meaning() == Verdict.Meaning.OUTCOME;
        if (!definite && mayBeApplied()) {
            attempts.add(new RequestAttempt(status, took, "not the answer of an earlier attempt"));
            return last.meaning() == Verdict.Meaning.ANSWER
                    ? again(Optional.empty())
                    : giveUp("the last attempt was refused with status " + status
                            + ", which says nothing about the earlier attempts");
        }
        attempts.add(new RequestAttempt(status, took, last.replayed() ? "answered, replayed" : "answered"));
        return CompletableFuture.completedFuture(
                Optional.of(new Result<>(answer, attempts, last.replayed(), definite)));
    }

    /**
     * Handles an answer of the status resource that is not the stored one: only the operation's own address can say
     * what it means.
     */
    private CompletableFuture<Optional<Result<R>>> notStored(int status, Duration took) {
        attempts.add(new RequestAttempt(status, took, "no stored answer at the status resource"));
        statusResource = null;
        return again(Optional.empty());
    }

    private boolean mayBeApplied() {
        return maybeApplied || history.othersMayBeApplied();
    }

    /** Until when the server keeps the key, in the time of this machine and rather too early than too late. */
    private Optional<Instant> publishedExpiry(ServerAnswer<R> answer, Duration took) {
        Instant began = timer.now().minus(took);
        Instant there = answer.headers().first("Date").flatMap(HttpDate::parse).orElseGet(timer::now);
        return answer.headers()
                .first("Idempotency-Expires")
                .flatMap(HttpDate::parse)
                .map(expires -> began.plus(Duration.between(there, expires)));
    }

    /** Whether a request that is sent after this delay could arrive when the server has forgotten the key. */
    private boolean isForgottenAfter(Duration delay) {
        return mayBeApplied()
                && !timer.now()
                        .plus(delay)
                        .plus(policy.attemptTimeout())
                        .isBefore(history.expires(policy.keyRetention()));
    }

    private CompletableFuture<Optional<Result<R>>> forgotten() {
        return maybeApplied(", and the server may have forgotten its key by " + history.expires(policy.keyRetention())
                + ": sending it again could apply it twice. Find out what happened to it, then remove its key"
                + " from the journal");
    }

    private CompletableFuture<Optional<Result<R>>> maybeApplied(String why) {
        String message = "it is not known whether " + operation + " was applied" + why;
        return CompletableFuture.failedFuture(new MaybeAppliedException(message, key, attempts, asked, lastFailure));
    }

    private CompletableFuture<Optional<Result<R>>> failed(Throwable failure, Duration took) {
        if (!(failure instanceof IOException || failure instanceof TimeoutException)) {
            return CompletableFuture.failedFuture(failure);
        }
        lastFailure = failure;
        boolean unsent = neverSent(failure);
        maybeApplied |= !unsent;
        attempts.add(new RequestAttempt(0, took, (unsent ? "not sent: " : "") + failure));
        return again(Optional.empty());
    }

    private static boolean neverSent(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof HttpConnectTimeoutException
                    || cause instanceof UnknownHostException
                    || cause instanceof UnresolvedAddressException) {
                return true;
            }
        }
        return false;
    }

    private CompletableFuture<Optional<Result<R>>> again(Optional<Duration> after) {
        asked = after.orElse(null);
        if (statusResource == null && sent >= policy.maxAttempts()) {
            return giveUp("there were " + sent + " attempts");
        }
        Duration delay = after.orElseGet(() -> policy.delay(attempts.size(), timer.random()));
        if (statusResource != null && delay.compareTo(policy.firstDelay()) < 0) {
            // How often a status resource is asked has no limit but this.
            delay = policy.firstDelay();
        }
        if (delay.compareTo(left()) >= 0) {
            return giveUp("the next attempt would have to wait for " + delay + ", after the deadline of "
                    + policy.deadline());
        }
        if (statusResource == null && isForgottenAfter(delay)) {
            return forgotten();
        }
        LOG.debug("{} is tried again in {}: {}", operation, delay, attempts.get(attempts.size() - 1));
        CompletableFuture<Void> waiting = timer.after(delay);
        current = waiting;
        return waiting.thenApply(now -> Optional.empty());
    }

    private Optional<URI> sameOrigin(String location) {
        try {
            URI target = uri.resolve(location);
            return uri.getScheme().equalsIgnoreCase(target.getScheme())
                            && uri.getRawAuthority().equalsIgnoreCase(target.getRawAuthority())
                    ? Optional.of(target)
                    : Optional.empty();
        } catch (IllegalArgumentException notAnAddress) {
            return Optional.empty();
        }
    }

    private CompletableFuture<Optional<Result<R>>> giveUp(String why) {
        String tried = attempts.isEmpty() ? "" : "; last: " + attempts.get(attempts.size() - 1);
        if (mayBeApplied()) {
            return maybeApplied(": " + why + tried + ". Try it again with the same key and body only");
        }
        String message = operation + " was not applied: " + why + tried;
        return CompletableFuture.failedFuture(new NotAppliedException(message, key, attempts, asked, lastFailure));
    }
}
