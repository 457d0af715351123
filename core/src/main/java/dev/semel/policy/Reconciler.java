package dev.semel.policy;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The application's own way to find out what an attempt did that died. */
@FunctionalInterface
public interface Reconciler {

    /**
     * Looks, without executing anything, whether the operation took place. No answer within five minutes counts as
     * {@link Verdict.CannotTell}.
     */
    CompletionStage<Verdict> reconcile(Case lapsed);

    /**
     * The operation in question.
     *
     * @param attempt the number of the attempt that died
     * @param age how long ago its lease ended, at least, by the store's clock. What it sent just before may still be on
     *     its way, and be carried out later: as long as that is possible, the answer is {@link Verdict.CannotTell}, never
     *     {@link Verdict.NotExecuted}.
     */
    record Case(Key key, String operation, Fingerprint fingerprint, int attempt, Duration age) {}

    /** What the reconciler found. */
    sealed interface Verdict {

        /** The operation was done, with this outcome. */
        record Done(Outcome outcome) implements Verdict {}

        /**
         * The operation was not executed and may be run; if it has finished steps, it goes on behind them. A key with
         * steps that is unknown already stays so until a person decides, since a key that is freed forgets them.
         */
        record NotExecuted() implements Verdict {}

        /** It cannot tell: the key becomes unknown. */
        record CannotTell() implements Verdict {}
    }
}
