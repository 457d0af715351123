package dev.semel.http.shadow;

import dev.semel.http.spool.Spool;
import dev.semel.util.LengthPrefixedDigest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Observes a request's body while the application reads it. Up to 64 KiB are held until the request has been looked at;
 * of a larger body, only a digest of its first megabyte and its length.
 */
public final class ShadowBody {

    private static final int HELD = 64 << 10;
    private static final long DIGESTED = 1 << 20;

    private final ShadowMemory memory;
    private final long announced;
    private final Spool held = Spool.inMemory(HELD);
    private @Nullable MessageDigest digest;
    private long taken;
    private long size;
    private boolean ended;
    private boolean lost;

    /** @param announced the length of the body; negative if it is not known */
    ShadowBody(ShadowMemory memory, long announced) {
        this.memory = memory;
        this.announced = announced;
    }

    /** Takes a look at bytes that the application has read. */
    public synchronized void add(byte[] bytes, int offset, int length) {
        if (length <= 0 || lost) {
            return;
        }
        try {
            if (digest == null && size + length <= HELD) {
                hold(bytes, offset, length);
            } else {
                digest(bytes, offset, length);
            }
            size += length;
        } catch (IOException e) {
            throw new IllegalStateException("a spool in memory does no I/O", e);
        }
    }

    private void hold(byte[] bytes, int offset, int length) throws IOException {
        if (!memory.tryTake(length)) {
            lost = true;
            release();
            return;
        }
        taken += length;
        held.offer(bytes, offset, length);
    }

    private void digest(byte[] bytes, int offset, int length) {
        MessageDigest all = digest;
        if (all == null) {
            all = LengthPrefixedDigest.newSha256();
            all.update(held.bytes());
            release();
            digest = all;
        }
        if (size < DIGESTED) {
            all.update(bytes, offset, (int) Math.min(length, DIGESTED - size));
        }
    }

    /** Takes what a container has made of the body, which it has read itself. */
    public synchronized void parsed(String listing) {
        byte[] bytes = listing.getBytes(StandardCharsets.UTF_8);
        digest(bytes, 0, bytes.length);
        size += bytes.length;
        ended = true;
    }

    /** The application has read all of it. */
    public synchronized void end() {
        ended = true;
    }

    /** The number of bytes read so far. */
    public synchronized long size() {
        return size;
    }

    /** Whether all of the body has passed by. */
    synchronized boolean isWhole() {
        return ended || size == announced;
    }

    /** Whether {@link #content} is the body itself. */
    synchronized boolean isExact() {
        return digest == null && isWhole();
    }

    /** Whether there was no memory for it. */
    synchronized boolean isLost() {
        return lost;
    }

    /** The body, or a text that stands for it if it was large. */
    synchronized Spool content() throws IOException {
        MessageDigest all = digest;
        if (all != null) {
            held.offer(("sha256:" + HexFormat.of().formatHex(all.digest()) + ":" + size)
                    .getBytes(StandardCharsets.US_ASCII));
            digest = null;
        }
        return held;
    }

    /** Lets go of the bytes. */
    synchronized void release() {
        held.reset();
        memory.give(taken);
        taken = 0;
    }
}
