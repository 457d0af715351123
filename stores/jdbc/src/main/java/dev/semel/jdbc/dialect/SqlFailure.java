package dev.semel.jdbc.dialect;

/** What the failure of a statement means for its callers. */
public enum SqlFailure {
    /** It may pass: the connection, the server, a deadlock. The same batch can be sent again. */
    TRANSIENT,
    /** A transaction of the application holds one of the rows. */
    LOCKED,
    /** The database does not accept one of the requests, or any. */
    REFUSED
}
