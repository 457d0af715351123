package dev.semel.http;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.shadow.ShadowFinding;
import java.time.Duration;

/** An event of the HTTP layer about a request. The engine reports the events of its key. */
public sealed interface HttpEvent {

    String operation();

    /** An event that concerns one operation. */
    abstract sealed class OfOperation implements HttpEvent {

        private final String operation;

        private OfOperation(String operation) {
            this.operation = operation;
        }

        @Override
        public final String operation() {
            return operation;
        }

        @Override
        public String toString() {
            return getClass().getSimpleName() + "[" + operation + "]";
        }
    }

    /** An event that concerns one key of one operation. */
    abstract sealed class OfKey extends OfOperation {

        private final Key key;

        private OfKey(String operation, Key key) {
            super(operation);
            this.key = key;
        }

        public final Key key() {
            return key;
        }

        /** Shows neither the caller nor the key's value. */
        @Override
        public String toString() {
            return getClass().getSimpleName() + "[" + operation() + " " + key.digest() + "]";
        }
    }

    /** The request has no key and needs none: it passes through without protection. */
    final class Unprotected extends OfOperation {

        public Unprotected(String operation) {
            super(operation);
        }
    }

    /** The request was refused before its key was claimed, and nothing was run. */
    final class Refused extends OfOperation {

        private final ProblemType problem;

        public Refused(String operation, ProblemType problem) {
            super(operation);
            this.problem = problem;
        }

        public ProblemType problem() {
            return problem;
        }
    }

    /**
     * The request was not run to its end because of a failure elsewhere, for example because the store did not answer.
     */
    final class Failed extends OfOperation {

        private final ProblemType problem;

        public Failed(String operation, ProblemType problem) {
            super(operation);
            this.problem = problem;
        }

        public ProblemType problem() {
            return problem;
        }
    }

    /** A request is about to claim its key. */
    final class Arrived extends OfKey {

        private final Fingerprint fingerprint;

        public Arrived(String operation, Key key, Fingerprint fingerprint) {
            super(operation, key);
            this.fingerprint = fingerprint;
        }

        public Fingerprint fingerprint() {
            return fingerprint;
        }
    }

    /** A caller got the stored response of its key. Of interest to an audit log. */
    final class Replayed extends OfKey {

        public Replayed(String operation, Key key) {
            super(operation, key);
        }
    }

    /** A caller did not get a stored response of its key, because a {@link dev.semel.http.stored.ReplayHook} refused it. */
    final class ReplayDenied extends OfKey {

        public ReplayDenied(String operation, Key key) {
            super(operation, key);
        }
    }

    /** The request was refused because its key belongs to another request. */
    final class KeyReused extends OfKey {

        public KeyReused(String operation, Key key) {
            super(operation, key);
        }
    }

    /** The request ran in shadow mode, with this finding. */
    final class Shadowed extends OfOperation {

        private final ShadowFinding finding;

        public Shadowed(String operation, ShadowFinding finding) {
            super(operation);
            this.finding = finding;
        }

        public ShadowFinding finding() {
            return finding;
        }
    }

    /** The request was asked to come again with the same key after some time. */
    final class ToldToRetry extends OfKey {

        private final Duration after;

        public ToldToRetry(String operation, Key key, Duration after) {
            super(operation, key);
            this.after = after;
        }

        public Duration after() {
            return after;
        }
    }
}
