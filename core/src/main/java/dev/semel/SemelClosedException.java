package dev.semel;

/** The engine is closed and accepts no more calls. Nothing was run. */
public final class SemelClosedException extends SemelException {

    private static final long serialVersionUID = 1L;

    public SemelClosedException() {
        super("this engine is closed", null);
    }
}
