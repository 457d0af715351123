package dev.semel.policy;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Finds out what a dead attempt did; implemented by the application. */
@FunctionalInterface
public interface Reconciler {

    /**
     * Checks, without executing anything, whether the operation took place. No answer within five minutes counts as
     * {@link Verdict.CannotTell}.
     */
    CompletionStage<Verdict> reconcile(Case lapsed);

    /** The operation that the dead attempt ran. */
    final class Case {

        private final Key key;
        private final String operation;
        private final Fingerprint fingerprint;
        private final int attempt;
        private final Duration age;

        private Case(Builder builder) {
            this.key = builder.key;
            this.operation = builder.operation;
            this.fingerprint = builder.fingerprint;
            this.attempt = builder.attempt;
            this.age = builder.age;
        }

        /**
         * Starts building a case, for example to test a reconciler. By default it is a first attempt whose lease has
         * just ended.
         */
        public static Builder builder(Key key, String operation, Fingerprint fingerprint) {
            return new Builder(key, operation, fingerprint);
        }

        public Key key() {
            return key;
        }

        public String operation() {
            return operation;
        }

        public Fingerprint fingerprint() {
            return fingerprint;
        }

        /** The number of the attempt that died. */
        public int attempt() {
            return attempt;
        }

        /**
         * How long ago its lease ended, at least, by the store's clock. Its last request may still be on its way, and
         * be carried out later: as long as that is possible, answer {@link Verdict.CannotTell}, never {@link
         * Verdict.NotExecuted}.
         */
        public Duration age() {
            return age;
        }

        @Override
        public String toString() {
            return "Case[" + operation + " " + key + " attempt=" + attempt + " age=" + age + "]";
        }

        /** Builds a {@link Case}. */
        public static final class Builder {

            private final Key key;
            private final String operation;
            private final Fingerprint fingerprint;
            private int attempt = 1;
            private Duration age = Duration.ZERO;

            private Builder(Key key, String operation, Fingerprint fingerprint) {
                this.key = key;
                this.operation = operation;
                this.fingerprint = fingerprint;
            }

            public Builder attempt(int attempt) {
                this.attempt = attempt;
                return this;
            }

            public Builder age(Duration age) {
                this.age = age;
                return this;
            }

            public Case build() {
                return new Case(this);
            }
        }
    }

    /** The answer of the reconciler. */
    sealed interface Verdict {

        /** The operation was done, with this outcome. */
        record Done(Outcome outcome) implements Verdict {}

        /**
         * The operation was not executed and may be run; if it has finished steps, it continues after them. An unknown
         * key with steps stays unknown until a person decides, since a released key forgets them.
         */
        record NotExecuted() implements Verdict {}

        /** The reconciler does not know what happened: the key becomes unknown. */
        record CannotTell() implements Verdict {}
    }
}
