package dev.semel.store;

/** The store cannot keep a payload of this size; the engine then settles without it. */
public final class PayloadTooLargeException extends StoreException {

    private static final long serialVersionUID = 1L;

    public PayloadTooLargeException(long size, long limit) {
        this("a payload of " + size + " bytes is over the store's limit of " + limit);
    }

    public PayloadTooLargeException(String message) {
        super(message, null);
    }
}
