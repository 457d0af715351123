package dev.semel.jdbc.dialect;

import dev.semel.spi.Lease;

/** The request of an attempt that ends without an outcome. */
public record LeaseEnd(Lease lease, Kind kind) {

    /** The state in which the attempt leaves its key. */
    public enum Kind {
        /** Nothing: the key is free again. */
        RELEASE,
        /** A key whose outcome is unknown. */
        ABANDON
    }

    public boolean isRelease() {
        return kind == Kind.RELEASE;
    }
}
