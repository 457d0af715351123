package dev.semel.http.spool;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A buffer with a limit: in memory at first, and in an unnamed temporary file once it is large, or once all spools
 * together take an eighth of the heap. Only one thread may use it at a time.
 *
 * <p>Writing beyond the memory threshold blocks on the file system: where that must not happen, as on an event loop,
 * take one that is {@link #inMemory}.
 */
public final class Spool implements AutoCloseable {

    private static final int MEMORY = 64 << 10;

    private final long limit;
    private final long memory;
    private final SpoolMemory room;
    private @Nullable ChunkedBytes buffer = new ChunkedBytes();
    private @Nullable SpoolFile file;
    private long size;

    private Spool(long limit, long memory, SpoolMemory room) {
        this.limit = limit;
        this.memory = memory;
        this.room = room;
    }

    /** A spool with this limit, which uses a file beyond 64 KiB. */
    public static Spool of(long limit) {
        return of(limit, SpoolMemory.OF_PROCESS);
    }

    static Spool of(long limit, SpoolMemory room) {
        return new Spool(limit, MEMORY, room);
    }

    /** A spool with this limit that never uses a file. */
    public static Spool inMemory(long limit) {
        return new Spool(limit, Long.MAX_VALUE, SpoolMemory.UNBOUNDED);
    }

    /** Adds the bytes; if they would exceed the limit, adds none of them and returns {@code false}. */
    public boolean offer(byte[] bytes, int offset, int length) throws IOException {
        if (size + length > limit) {
            return false;
        }
        if (buffer != null && (size + length > memory || !room.tryTake(length))) {
            byte[] held = buffer.bytes();
            file = SpoolFile.create();
            file.append(held, 0, held.length);
            leaveMemory();
        }
        if (buffer != null) {
            buffer.add(bytes, offset, length);
        } else if (file != null) {
            file.append(bytes, offset, length);
        } else {
            throw new IOException("this spool is closed");
        }
        size += length;
        return true;
    }

    public boolean offer(byte[] bytes) throws IOException {
        return offer(bytes, 0, bytes.length);
    }

    public long size() {
        return size;
    }

    /** How much memory the bytes take: 0 if they are in a file. */
    public long memory() {
        return buffer == null ? 0 : buffer.capacity();
    }

    /** Whether adding this many bytes blocks on the file system; with 0, whether reading does. */
    public boolean blocks(int more) {
        return buffer == null || size + more > memory || !room.has(more);
    }

    /** Reads from the start. */
    public InputStream open() throws IOException {
        if (buffer != null) {
            return buffer.open();
        }
        if (file == null) {
            throw new IOException("this spool is closed");
        }
        return file.open();
    }

    /** Writes everything, from the start. */
    public void writeTo(OutputStream out) throws IOException {
        if (buffer != null) {
            buffer.writeTo(out);
            return;
        }
        try (InputStream in = open()) {
            in.transferTo(out);
        }
    }

    /** All bytes in one array, which must not be changed. */
    public byte[] bytes() {
        if (buffer != null) {
            return buffer.bytes();
        }
        try (InputStream in = open()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read back the spooled file", e);
        }
    }

    private void leaveMemory() {
        buffer = null;
        room.give(size);
    }

    /** Discards all bytes, so that the spool can be used again. */
    public void reset() {
        close();
        buffer = new ChunkedBytes();
        size = 0;
    }

    /** Releases the memory or the file. */
    @Override
    public void close() {
        if (buffer != null) {
            leaveMemory();
        }
        SpoolFile spooled = file;
        file = null;
        if (spooled != null) {
            try {
                spooled.release();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot remove a spooled file", e);
            }
        }
    }
}
