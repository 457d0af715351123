package dev.semel.spi.life;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The value that a {@link CasKeyStore} keeps under a digest.
 *
 * @param version differs from that of every other cell that was ever written under the digest
 * @param token the last token of the key
 * @param key the key itself; {@code null} if it was forgotten and only the token is left
 * @param removableAt when the engine may remove the cell; {@code null} if it must not
 */
public record Cell(
        long version,
        long token,
        @Nullable StoredKey key,
        @Nullable Instant removableAt) {

    /** The version that stands for a cell that is not there. */
    public static final long ABSENT = 0;

    /** Whether the key is claimed and not settled: what an index of open keys contains. */
    public boolean isOpen() {
        return key != null && !key.isSettled();
    }

    /** The same cell with the version that the engine has given it. */
    public Cell withVersion(long given) {
        return new Cell(given, token, key, removableAt);
    }

    /** Whether the key is hidden from all callers, although the cell still exists. */
    boolean isGone(Moment moment) {
        return key == null || (removableAt != null && moment.mayHavePassed(removableAt));
    }
}
