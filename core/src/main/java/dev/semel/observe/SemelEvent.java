package dev.semel.observe;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a key or to the store. Events never contain the value or the scope of a key, which belong
 * to the caller.
 */
public sealed interface SemelEvent {

    /** The key that an event is about, and the attempt on it. */
    final class Subject {

        private final String operation;
        private final KeyDigest digest;
        private final int attempt;
        private final long token;

        private Subject(String operation, KeyDigest digest, int attempt, long token) {
            this.operation = operation;
            this.digest = digest;
            this.attempt = attempt;
            this.token = token;
        }

        /** A key, for events that do not concern an attempt. */
        public static Subject of(String operation, KeyDigest digest) {
            return new Subject(operation, digest, 0, 0);
        }

        /** The same key, and the attempt with this number and fencing token. */
        public Subject attempt(int number, long fencingToken) {
            return new Subject(operation, digest, number, fencingToken);
        }
    }

    /** An event that concerns one key of one operation. */
    abstract sealed class OfKey implements SemelEvent {

        final Subject about;

        private OfKey(Subject about) {
            this.about = about;
        }

        public final String operation() {
            return about.operation;
        }

        public final KeyDigest digest() {
            return about.digest;
        }

        @Override
        public String toString() {
            return getClass().getSimpleName() + "[" + operation() + " " + digest() + "]";
        }
    }

    /** An event that concerns one attempt on a key. */
    abstract sealed class OfAttempt extends OfKey {

        private OfAttempt(Subject about) {
            super(about);
        }

        public final int attempt() {
            return about.attempt;
        }

        /** The attempt's fencing token. */
        public final long token() {
            return about.token;
        }
    }

    /** A request got the key. */
    final class Claimed extends OfAttempt {

        private final Duration took;

        public Claimed(Subject about, Duration took) {
            super(about);
            this.took = took;
        }

        /** How long the store took. */
        public Duration took() {
            return took;
        }
    }

    /** The claim found a lapsed lease and took it over. */
    final class TakenOver extends OfAttempt {

        public TakenOver(Subject about) {
            super(about);
        }
    }

    /** A stored outcome was given to a duplicate. */
    final class Replayed extends OfKey {

        private final Outcome.Result result;
        private final Duration waited;
        private final @Nullable String executedIn;

        public Replayed(Subject about, Outcome.Result result, Duration waited, @Nullable String executedIn) {
            super(about);
            this.result = result;
            this.waited = waited;
            this.executedIn = executedIn;
        }

        public Outcome.Result result() {
            return result;
        }

        /** How long after its arrival the duplicate got the outcome. */
        public Duration waited() {
            return waited;
        }

        /** The trace that executed. */
        public @Nullable String executedIn() {
            return executedIn;
        }
    }

    /** A duplicate got the answer that the operation is in flight. */
    final class InFlight extends OfKey {

        private final Duration age;

        public InFlight(Subject about, Duration age) {
            super(about);
            this.age = age;
        }

        public Duration age() {
            return age;
        }
    }

    /** A duplicate waited until its limit, and there was still no outcome. */
    final class WaitTimedOut extends OfKey {

        private final Duration waited;

        public WaitTimedOut(Subject about, Duration waited) {
            super(about);
            this.waited = waited;
        }

        public Duration waited() {
            return waited;
        }
    }

    /** The key was sent with another request. */
    final class Mismatched extends OfKey {

        public Mismatched(Subject about) {
            super(about);
        }
    }

    /** A request got the answer that the outcome is unknown. */
    final class Unknown extends OfKey {

        public Unknown(Subject about) {
            super(about);
        }
    }

    /** A request got the answer that its key has expired. */
    final class Expired extends OfKey {

        public Expired(Subject about) {
            super(about);
        }
    }

    /** An outcome was stored. */
    final class Settled extends OfAttempt {

        private final Outcome.Result result;
        private final Retention retention;
        private final Duration ran;
        private final Duration took;

        public Settled(Subject about, Outcome.Result result, Retention retention, Duration ran, Duration took) {
            super(about);
            this.result = result;
            this.retention = retention;
            this.ran = ran;
            this.took = took;
        }

        public Outcome.Result result() {
            return result;
        }

        /** How long the outcome is kept. */
        public Retention retention() {
            return retention;
        }

        /** How long the operation ran. */
        public Duration ran() {
            return ran;
        }

        /** How long the store took. */
        public Duration took() {
            return took;
        }
    }

    /** The key was released because the operation did not execute. */
    final class Released extends OfAttempt {

        public Released(Subject about) {
            super(about);
        }
    }

    /** Maintenance found a lapsed key. */
    final class Lapsed extends OfAttempt {

        private final Recovery recovery;

        public Lapsed(Subject about, Recovery recovery) {
            super(about);
            this.recovery = recovery;
        }

        public Recovery recovery() {
            return recovery;
        }
    }

    /** An attempt that had lost its lease tried to write, and was refused. */
    final class FencedOff extends OfAttempt {

        private final String write;

        public FencedOff(Subject about, String write) {
            super(about);
            this.write = write;
        }

        /** The write that was refused, such as {@code settle}. */
        public String write() {
            return write;
        }
    }

    /** The operation ran but its outcome could not be stored. */
    final class SettleFailed extends OfAttempt {

        private final Throwable cause;

        public SettleFailed(Subject about, Throwable cause) {
            super(about);
            this.cause = cause;
        }

        public Throwable cause() {
            return cause;
        }
    }

    /** The operation ran without protection because the store was down and its policy allows it. */
    final class Unprotected extends OfKey {

        private final Throwable cause;

        public Unprotected(Subject about, Throwable cause) {
            super(about);
            this.cause = cause;
        }

        public Throwable cause() {
            return cause;
        }
    }

    /** A pending key was given up as unknown. */
    final class Abandoned extends OfAttempt {

        private final @Nullable Throwable cause;

        public Abandoned(Subject about, @Nullable Throwable cause) {
            super(about);
            this.cause = cause;
        }

        public @Nullable Throwable cause() {
            return cause;
        }
    }

    /** A store call by the engine's own housekeeping failed; it will be tried again. */
    final class MaintenanceFailed implements SemelEvent {

        private final String task;
        private final Throwable cause;

        public MaintenanceFailed(String task, Throwable cause) {
            this.task = task;
            this.cause = cause;
        }

        public String task() {
            return task;
        }

        public Throwable cause() {
            return cause;
        }

        @Override
        public String toString() {
            return "MaintenanceFailed[task=" + task + ", cause=" + cause + "]";
        }
    }

    /** The store does not answer: from now on claims are refused immediately, until it does. */
    final class StoreDown implements SemelEvent {

        private final Instant since;
        private final Throwable cause;

        public StoreDown(Instant since, Throwable cause) {
            this.since = since;
            this.cause = cause;
        }

        /** When the first call without an answer was sent. */
        public Instant since() {
            return since;
        }

        /** The failure of the last call. */
        public Throwable cause() {
            return cause;
        }

        @Override
        public String toString() {
            return "StoreDown[since=" + since + ", cause=" + cause + "]";
        }
    }

    /** The store answers again. */
    final class StoreUp implements SemelEvent {

        private final Instant downSince;
        private final Duration wasDown;

        public StoreUp(Instant downSince, Duration wasDown) {
            this.downSince = downSince;
            this.wasDown = wasDown;
        }

        /** When the outage began, as in {@link StoreDown#since}. */
        public Instant downSince() {
            return downSince;
        }

        /** How long it lasted. */
        public Duration wasDown() {
            return wasDown;
        }

        @Override
        public String toString() {
            return "StoreUp[wasDown=" + wasDown + "]";
        }
    }

    /** Records were removed because their retention has passed. */
    final class Purged implements SemelEvent {

        private final long removed;
        private final Duration took;

        public Purged(long removed, Duration took) {
            this.removed = removed;
            this.took = took;
        }

        public long removed() {
            return removed;
        }

        public Duration took() {
            return took;
        }

        @Override
        public String toString() {
            return "Purged[" + removed + "]";
        }
    }
}
