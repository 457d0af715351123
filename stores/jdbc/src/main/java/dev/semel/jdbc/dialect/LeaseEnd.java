package dev.semel.jdbc.dialect;

import dev.semel.spi.Lease;

/** The request of an attempt that ends without an outcome. */
public record LeaseEnd(Lease lease, Kind kind) {

    /** What the attempt leaves behind. */
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
