package dev.semel;

/** The attempt has lost its key to a later one, and must not continue. */
public final class LeaseLostException extends SemelException {

    private static final long serialVersionUID = 1L;

    public LeaseLostException(KeyDigest digest, long token) {
        super("the attempt with token " + token + " has lost its lease of key " + digest, null);
    }
}
