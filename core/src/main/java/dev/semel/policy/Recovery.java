package dev.semel.policy;

/** What happens to a key whose owner let the lease lapse. */
public enum Recovery {
    /** The key becomes unknown until an operator or a reconciler decides. Nothing runs again. */
    HOLD,
    /** The operation is re-entrant: the next retry runs it again, with a higher fencing token. */
    RE_EXECUTE,
    /** Semel asks the application's {@link Reconciler} what happened. */
    RECONCILE,
    /** The key is settled as failed; the client may try again with a new key. */
    FAIL
}
