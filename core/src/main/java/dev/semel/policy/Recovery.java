package dev.semel.policy;

/** What may be done with a key whose owner let the lease lapse. */
public enum Recovery {
    /** The key becomes unknown until an operator or a reconciler decides. Nothing runs again. */
    HOLD,
    /** The operation is re-entrant: the next retry runs it again, with a higher fencing token. */
    RE_EXECUTE,
    /** The application's {@link Reconciler} is asked what happened. */
    RECONCILE,
    /** The key is settled as failed; the client may try again with a new key. */
    FAIL
}
