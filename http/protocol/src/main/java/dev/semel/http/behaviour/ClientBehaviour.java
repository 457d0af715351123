package dev.semel.http.behaviour;

import dev.semel.KeyDigest;
import dev.semel.http.HttpEvent;
import dev.semel.http.HttpListener;
import dev.semel.http.behaviour.RecentRequests.RetryAdvice;
import dev.semel.http.shadow.ShadowRecorder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds callers that use keys in a way that does not protect them. It only remembers digests of keys and requests, for
 * about the last ten thousand requests and the last thousand callers that made a mistake.
 */
public final class ClientBehaviour implements HttpListener {

    /** The same request under another key within this time is taken for a retry. */
    public static final Duration WINDOW = ShadowRecorder.SAME_REQUEST;

    /** How much too early a retry is still on time: clients round, and so do we. */
    private static final Duration TOLERANCE = Duration.ofMillis(200);

    private final RecentRequests requests;
    private final MistakesByCaller callers = new MistakesByCaller();
    private final Consumer<ObservedMistake> listener;
    private final InstantSource clock;

    /** A kind of mistake that clients make. */
    public enum Mistake {
        /** It sends a request again under a new key: the operation is run again. */
        FRESH_KEY,
        /** It sends a key again with another request. */
        KEY_REUSED,
        /** It sends a request again before the time that {@code Retry-After} asked for. */
        RETRY_TOO_EARLY
    }

    /** A mistake that a client made. */
    public static final class ObservedMistake {

        private final Instant at;
        private final Mistake mistake;
        private final String operation;
        private final KeyDigest key;
        private final @Nullable KeyDigest before;
        private final @Nullable Duration after;
        private final @Nullable Duration asked;

        private ObservedMistake(
                Instant at,
                Mistake mistake,
                String operation,
                KeyDigest key,
                @Nullable KeyDigest before,
                @Nullable Duration after,
                @Nullable Duration asked) {
            this.at = at;
            this.mistake = mistake;
            this.operation = operation;
            this.key = key;
            this.before = before;
            this.after = after;
            this.asked = asked;
        }

        public Instant at() {
            return at;
        }

        public Mistake mistake() {
            return mistake;
        }

        public String operation() {
            return operation;
        }

        /** The key of the request that was wrong. */
        public KeyDigest key() {
            return key;
        }

        /** The key of the same request before, where that is another one. */
        public @Nullable KeyDigest before() {
            return before;
        }

        /** How long after the request before it came. */
        public @Nullable Duration after() {
            return after;
        }

        /** How long it was asked to wait. */
        public @Nullable Duration asked() {
            return asked;
        }
    }

    /** A caller that did something wrong. */
    public static final class Client {

        private final String scope;
        private final long[] counts;
        private final Instant firstAt;
        private final List<ObservedMistake> latest;

        Client(String scope, long[] counts, Instant firstAt, List<ObservedMistake> latest) {
            this.scope = scope;
            this.counts = counts;
            this.firstAt = firstAt;
            this.latest = latest;
        }

        public String scope() {
            return scope;
        }

        /** How often it made this mistake. */
        public long count(Mistake mistake) {
            return counts[mistake.ordinal()];
        }

        /** How many mistakes it made. */
        public long all() {
            return LongStream.of(counts).sum();
        }

        public Instant firstAt() {
            return firstAt;
        }

        public Instant lastAt() {
            return latest.get(0).at();
        }

        /** The latest mistakes, newest first. */
        public List<ObservedMistake> latest() {
            return latest;
        }
    }

    /** @param listener gets each mistake, for metrics; must be quick */
    public ClientBehaviour(Consumer<ObservedMistake> listener) {
        this(listener, InstantSource.system());
    }

    ClientBehaviour(Consumer<ObservedMistake> listener, InstantSource clock) {
        this.listener = listener;
        this.clock = clock;
        this.requests = new RecentRequests(WINDOW);
    }

    /** The callers that made mistakes, most mistakes first. */
    public List<Client> clients() {
        return callers.all();
    }

    @Override
    public void on(HttpEvent event) {
        if (event instanceof HttpEvent.Arrived arrived) {
            arrived(arrived, clock.millis());
        } else if (event instanceof HttpEvent.ToldToRetry retry) {
            requests.advised(
                    retry.key().digest(),
                    new RetryAdvice(clock.millis(), retry.after().toMillis()));
        } else if (event instanceof HttpEvent.KeyReused reused) {
            note(
                    reused.key().scope(),
                    new ObservedMistake(
                            clock.instant(),
                            Mistake.KEY_REUSED,
                            reused.operation(),
                            reused.key().digest(),
                            null,
                            null,
                            null));
        }
    }

    private void arrived(HttpEvent.Arrived arrived, long now) {
        KeyDigest digest = arrived.key().digest();
        RecentRequests.Seen before = requests.arrived(arrived.key().scope(), arrived.fingerprint(), digest, now);
        if (before != null) {
            Duration after = Duration.ofMillis(now - before.at());
            observe(arrived, now, Mistake.FRESH_KEY, before.key(), after, null);
        }
        RetryAdvice asked = requests.takeAdvice(digest, now);
        if (asked != null && now - asked.at() + TOLERANCE.toMillis() < asked.after()) {
            Duration after = Duration.ofMillis(now - asked.at());
            observe(arrived, now, Mistake.RETRY_TOO_EARLY, null, after, Duration.ofMillis(asked.after()));
        }
    }

    private void observe(
            HttpEvent.Arrived arrived,
            long now,
            Mistake mistake,
            @Nullable KeyDigest before,
            Duration after,
            @Nullable Duration asked) {
        note(
                arrived.key().scope(),
                new ObservedMistake(
                        Instant.ofEpochMilli(now),
                        mistake,
                        arrived.operation(),
                        arrived.key().digest(),
                        before,
                        after,
                        asked));
    }

    private void note(String scope, ObservedMistake observed) {
        callers.note(scope, observed);
        listener.accept(observed);
    }
}
