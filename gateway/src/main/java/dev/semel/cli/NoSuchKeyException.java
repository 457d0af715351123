package dev.semel.cli;

/** A command was given the digest of a key that the store does not know. */
final class NoSuchKeyException extends Exception {

    private static final long serialVersionUID = 1L;

    NoSuchKeyException(String message) {
        super(message);
    }
}
